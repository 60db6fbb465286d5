//! Files that hold keys or passwords: never imported unless a pattern names them. Decisions 9.

/// Whether a file's name says that it holds credentials.
pub(super) fn is_credential_name(name: &str) -> bool {
    let name = name.to_lowercase();
    const NAMES: [&str; 23] = [
        ".env",
        ".envrc",
        ".netrc",
        "_netrc",
        ".npmrc",
        ".pypirc",
        ".pgpass",
        ".my.cnf",
        ".git-credentials",
        ".htpasswd",
        ".dockercfg",
        ".vault-token",
        "credentials",
        "credentials.json",
        "client_secret.json",
        "secrets.json",
        "secrets.yml",
        "secrets.yaml",
        "secrets.toml",
        "id_rsa",
        "id_ed25519",
        "id_ecdsa",
        "id_dsa",
    ];
    const EXTENSIONS: [&str; 11] = [
        ".pem",
        ".key",
        ".p12",
        ".pfx",
        ".jks",
        ".keystore",
        ".kdbx",
        ".ppk",
        ".p8",
        ".pkcs12",
        ".env",
    ];
    const SAMPLES: [&str; 4] = [".example", ".sample", ".template", ".dist"];
    if SAMPLES.iter().any(|sample| name.ends_with(sample)) {
        return false;
    }
    NAMES.contains(&name.as_str())
        || name.starts_with(".env.")
        || EXTENSIONS.iter().any(|extension| name.ends_with(extension))
}

/// Whether a file starts with a private key.
pub(super) fn starts_with_key(bytes: &[u8]) -> bool {
    let start = bytes.trim_ascii_start();
    let line = start.split(|&byte| byte == b'\n').next().unwrap_or(start);
    line.starts_with(b"-----BEGIN ") && line.trim_ascii_end().ends_with(b"PRIVATE KEY-----")
}

/// Whether a pattern names this file itself, rather than many by a wildcard.
pub(super) fn is_named(patterns: &[String], name: &str) -> bool {
    patterns
        .iter()
        .any(|pattern| pattern.rsplit('/').next() == Some(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_credentials() {
        let check = |name: &str, expected: bool| {
            assert_eq!(is_credential_name(name), expected, "{name}");
        };
        check(".env", true);
        check(".env.production", true);
        check("prod.env", true);
        check(".env.example", false);
        check("environment.md", false);
        check("server.PEM", true);
        check("id_rsa", true);
        check("id_rsa.pub", false);
        check("credentials", true);
        check("credentials.md", false);
        check("keys.md", false);
        check("漢.key", true);
    }

    #[test]
    fn keys_and_patterns() {
        assert!(starts_with_key(b"\n-----BEGIN RSA PRIVATE KEY-----\nabc"));
        assert!(!starts_with_key(b"-----BEGIN CERTIFICATE-----\n"));
        assert!(!starts_with_key(b"How -----BEGIN PRIVATE KEY----- looks"));
        assert!(is_named(&[".env".to_owned()], ".env"));
        assert!(is_named(&["a/.env".to_owned()], ".env"));
        assert!(!is_named(&["*".to_owned(), "**/.env*".to_owned()], ".env"));
    }
}
