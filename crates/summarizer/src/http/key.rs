//! Keys of model services.

use std::fmt;
use std::io::Read as _;
use std::path::Path;

use crate::{Error, ErrorKind};

/// The key of a service. It never shows: not in debug output, not in errors.
#[derive(Clone)]
pub struct Key {
    text: String,
    place: String,
}

/// Longest key that is read from a file, in bytes.
const LONGEST: u64 = 16 * 1024;

impl Key {
    /// Takes a key; `place` says where it comes from, for error messages.
    pub fn new(text: &str, place: impl Into<String>) -> Result<Self, Error> {
        let place = place.into();
        let text = text.trim();
        if text.is_empty() {
            return Err(refuse(place, "it is empty"));
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(refuse(place, "a key has visible ASCII characters only"));
        }
        Ok(Self {
            text: text.to_owned(),
            place,
        })
    }

    /// Reads the key from an environment variable; `None` where it is unset or empty.
    pub fn from_environment(name: &str) -> Result<Option<Self>, Error> {
        match std::env::var_os(name) {
            Some(value) if !value.is_empty() => {
                let place = format!("in the environment variable {name}");
                match value.to_str() {
                    Some(text) => Self::new(text, place).map(Some),
                    None => Err(refuse(place, "it is no text")),
                }
            }
            _ => Ok(None),
        }
    }

    /// Reads the key from a file that only its owner can read.
    pub fn from_file(path: &Path) -> Result<Self, Error> {
        let place = format!("in the file {}", path.display());
        let failed = |error: std::io::Error| refuse(place.clone(), &error.to_string());
        let file = std::fs::File::open(path).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        if !is_private(&metadata) {
            return Err(refuse(
                place,
                "others can read the file; take their rights away (`chmod 600`)",
            ));
        }
        let mut text = String::new();
        file.take(LONGEST)
            .read_to_string(&mut text)
            .map_err(failed)?;
        Self::new(&text, place)
    }

    /// Where the key comes from, as in "the key {place}".
    pub(super) fn place(&self) -> &str {
        &self.place
    }

    pub(super) fn header(&self) -> Option<reqwest::header::HeaderValue> {
        let mut value =
            reqwest::header::HeaderValue::from_str(&format!("Bearer {}", self.text)).ok()?;
        value.set_sensitive(true);
        Some(value)
    }

    /// Takes the key out of a text, where a server sent it back.
    pub(super) fn hide_in(&self, text: &str) -> String {
        text.replace(&self.text, epitome_core::mask::MASK)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({})", self.place)
    }
}

fn refuse(place: String, reason: &str) -> Error {
    ErrorKind::Key {
        place,
        reason: reason.to_owned(),
    }
    .into()
}

#[cfg(unix)]
fn is_private(metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    let rights_of_others = metadata.permissions().mode() & 0o077;
    rights_of_others == 0
}

#[cfg(not(unix))]
fn is_private(_: &std::fs::Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_visible_ascii_and_never_show() {
        let check = |input: &str, expected: bool| {
            let key = Key::new(input, "here");
            assert_eq!(key.is_ok(), expected, "{input:?}");
            assert!(!format!("{key:?}").contains("k3y"), "{input:?}");
        };
        check("k3y", true);
        check(" k3y\r\n", true);
        check("", false);
        check(" \n", false);
        check("k3y two", false);
        check("k3y\u{e9}", false);
    }

    #[cfg(unix)]
    #[test]
    fn only_private_files_give_keys() {
        use std::os::unix::fs::PermissionsExt as _;
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "k3y\n").unwrap();
        let check = |mode, expected| {
            std::fs::set_permissions(file.path(), std::fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(Key::from_file(file.path()).is_ok(), expected, "{mode:o}");
        };
        check(0o600, true);
        check(0o400, true);
        check(0o640, false);
        check(0o604, false);
        assert!(Key::from_file(Path::new("no/such/file")).is_err());
    }

    #[test]
    fn an_unset_variable_gives_no_key() {
        assert!(
            Key::from_environment("EPITOME_NO_SUCH_KEY")
                .unwrap()
                .is_none()
        );
        assert!(Key::from_environment("PATH").unwrap().is_some());
    }
}
