//! What only some systems have: links, names that are no text, files that nobody may read.

use std::path::Path;

use anyhow::Result;

/// Paths with the reason for which each is skipped.
#[cfg(all(test, unix))]
pub(super) const SKIPPED: [(&str, &str); 8] = [
    ("links/dead.md", "link that leads nowhere"),
    ("links/loop", "link to links, imported at its own place"),
    ("links/out", "link to outside of the folder"),
    ("links/out.md", "link to outside of the folder"),
    (
        "links/root",
        "link to the folder itself, imported at its own place",
    ),
    ("links/self", "link that leads nowhere"),
    (
        "links/twin.md",
        "link to twins/one.md, imported at its own place",
    ),
    ("names/not-\u{FFFD}-utf8.md", "its name is not UTF-8"),
];

/// The file without any permission; the superuser reads it all the same.
#[cfg(all(test, unix))]
pub(super) const UNREADABLE: &str = "unreadable.md";

#[cfg(unix)]
pub(super) fn write(folder: &Path) -> Result<()> {
    use std::ffi::OsStr;
    use std::fs::{self, Permissions};
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let links = folder.join("links");
    fs::create_dir_all(&links)?;
    for (target, name) in [
        ("nowhere", "dead.md"),
        (".", "loop"),
        ("../..", "out"),
        ("/dev/null", "out.md"),
        ("..", "root"),
        ("self", "self"),
        ("../twins/one.md", "twin.md"),
    ] {
        symlink(target, links.join(name))?;
    }
    let name = OsStr::from_bytes(b"not-\xFF-utf8.md");
    fs::write(folder.join("names").join(name), "# A name\n")?;
    let unreadable = folder.join("unreadable.md");
    fs::write(&unreadable, "# Not for you\n")?;
    fs::set_permissions(&unreadable, Permissions::from_mode(0o000))?;
    Ok(())
}

#[cfg(not(unix))]
pub(super) fn write(_: &Path) -> Result<()> {
    Ok(())
}
