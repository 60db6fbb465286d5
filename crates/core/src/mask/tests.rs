use proptest::prelude::*;

use super::*;

/// Checks the masked text and the rules that found something.
fn check(input: &str, expected: &str, rules: &[&str]) {
    let masked = mask_secrets(input);
    assert_eq!(masked.text, expected, "{input:?}");
    let names: Vec<&str> = masked.counts.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, rules, "{input:?}");
}

/// Checks that nothing is masked.
fn check_plain(input: &str) {
    check(input, input, &[]);
}

/// Joins what must not stand in one piece in a repository that is scanned for secrets.
fn token(head: &str, filler: &str, times: usize) -> String {
    format!("{head}{}", filler.repeat(times))
}

#[test]
fn tokens_of_known_shapes_go() {
    let check = |token: &str, rule| {
        check(token, MASK, &[rule]);
        check(
            &format!("use {token}, then go"),
            "use [masked], then go",
            &[rule],
        );
        check(&format!("各位（{token}）请"), "各位（[masked]）请", &[rule]);
    };
    check(&token("sk-", "a1B2", 6), "model-key");
    check(&token("sk-proj-", "a1_B-2", 8), "model-key");
    check(&token("ghp_", "a1B2", 9), "github-token");
    check(&token("github_pat_", "a1B2", 9), "github-token");
    check(&token("glpat-", "a1B2", 5), "gitlab-token");
    check(&token("AKIA", "A1B2", 4), "aws-key");
    check(&token("AIza", "a1B2c", 7), "google-key");
    check(&token("xoxb-", "12-ab", 4), "slack-token");
    check(&token("sk_live_", "a1B2", 6), "stripe-key");
    check(&token("npm_", "a1B2", 9), "registry-token");
    check(&token("hf_", "a1B2", 9), "registry-token");
    check(&token("dop_v1_", "a1b2", 16), "service-token");
    check(
        &format!(
            "{}.{}.{}",
            token("eyJ", "a1B2", 4),
            token("eyJ", "c3D4", 4),
            token("", "x-_y", 4)
        ),
        "web-token",
    );
}

#[test]
fn words_that_only_begin_like_tokens_stay() {
    check_plain("task-force-one-hundred-and-twenty");
    check_plain("the risk-assessment-of-all-departments");
    check_plain("sk-short");
    check_plain("AKIAshort");
    check_plain("eyJust.eyJust");
    check_plain("the bearer of this letter");
    check_plain("see https://example.org/a:b@c");
    check_plain("mailto:ada@example.org, ssh://git@example.org/x");
    check_plain("https://example.org:8080/~ada@home");
}

#[test]
fn credentials_in_headers_and_addresses_go() {
    let header = token("", "a1B2", 6);
    check(
        &format!("Authorization: Bearer {header}\n"),
        "Authorization: Bearer [masked]\n",
        &["bearer-token"],
    );
    check(
        &format!("AUTHORIZATION: BASIC {header}=="),
        "AUTHORIZATION: BASIC [masked]",
        &["bearer-token"],
    );
    check(
        "postgres://ada:pä55@db.local/x?y",
        "postgres://ada:[masked]@db.local/x?y",
        &["url-password"],
    );
    check(
        "redis://:hunter2@h and amqp://a:b@h",
        "redis://:[masked]@h and amqp://a:[masked]@h",
        &["url-password"],
    );
}

#[test]
fn assignments_go_with_their_quotes_kept() {
    let check = |input, expected| check(input, expected, &["password"]);
    check("password=hunter2", "password=[masked]");
    check(
        "DB_PASSWORD = hunter2 # old",
        "DB_PASSWORD = [masked] # old",
    );
    check(
        r#""password": "correct horse""#,
        r#""password": "[masked]""#,
    );
    check("passphrase: 'it is long'", "passphrase: '[masked]'");
    check("pwd:hunter2;", "pwd:[masked];");
    check("client_secret := \"abcd\"", "client_secret := \"[masked]\"");
    check(
        "AWS_SECRET_ACCESS_KEY=a/b+c1234",
        "AWS_SECRET_ACCESS_KEY=[masked]",
    );
    check("密码：hunter2。", "密码：[masked]");
    check(
        "password=[masked] password=x1234",
        "password=[masked] password=[masked]",
    );
}

#[test]
fn code_and_prose_about_passwords_stay() {
    check_plain("password = getpass()");
    check_plain("password: required");
    check_plain("Passwords: the longer, the better");
    check_plain("password=$PASSWORD password={{ password }} password=<yours>");
    check_plain("the secret of good tea");
    check_plain("token = self.parser.next_token()");
    check_plain("key: description-of-the-thing");
    check_plain("token: abc");
}

#[test]
fn keys_and_options_go() {
    check(
        "api_key: \"a1B2c3D4e5F6\"",
        "api_key: \"[masked]\"",
        &["key-setting"],
    );
    check(
        "AUTH_TOKEN=a1b2c3d4e5f6\n",
        "AUTH_TOKEN=[masked]\n",
        &["key-setting"],
    );
    check(
        "mysql --password hunter2 --user ada",
        "mysql --password [masked] --user ada",
        &["flag-secret"],
    );
    check_plain("mysql --password --user ada");
}

#[test]
fn private_keys_go_whole_or_cut() {
    let begin = "-----BEGIN OPENSSH PRIVATE KEY-----";
    let end = "-----END OPENSSH PRIVATE KEY-----";
    let lines = "AAAAa1/+\nBBBB==\n";
    let check = |input: &str, expected: &str| check(input, expected, &["private-key"]);
    check(&format!("a\n{begin}\n{lines}{end}\nb"), "a\n[masked]\nb");
    check(&format!("a\n{begin}\n{lines}"), "a\n[masked]");
    check(&format!("my key\n{lines}{end}\nb"), "my key\n[masked]\nb");
    check(&format!("{begin}{end}{begin}"), "[masked]");
    check(
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQ\n-----END PGP PRIVATE KEY BLOCK-----.",
        "[masked].",
    );
    check_plain("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----");
    check_plain("----------BEGIN");
    check_plain("-----BEGIN ключ PRIVATE");
}

#[test]
fn counts_are_by_rule_in_the_order_of_the_list() {
    let masked = mask_secrets("password=hunter2\nhttp://a:b@c\nhttp://d:e@f");
    assert_eq!(masked.counts, [("url-password", 2), ("password", 1)]);
    assert!(matches!(mask_secrets("plain").text, Cow::Borrowed("plain")));
}

#[test]
fn the_list_names_every_rule_once() {
    let mut names: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), RULES.len());
}

/// Texts in which pieces of secrets meet pieces of prose.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<String>(),
        "[ -~]{0,12}",
        prop::sample::select(vec![
            "password",
            "=",
            ":",
            "\"",
            "'",
            "sk-",
            "a1B2c3D4e5F6",
            "://",
            "@",
            "-----",
            "-----BEGIN ",
            "-----END ",
            "PRIVATE KEY",
            "-----\n",
            "Bearer ",
            "[masked]",
            "密码：",
            "token",
            "--",
            " ",
            "\n",
            "ghp_",
            "eyJ",
            ".",
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn masking_is_total_and_keeps_what_is_between(text in pieces()) {
        let masked = mask_secrets(&text);
        let mut from = 0;
        for kept in masked.text.split(MASK) {
            let at = text[from..].find(kept);
            prop_assert!(at.is_some());
            from += at.unwrap_or(0) + kept.len();
        }
    }

    #[test]
    fn a_secret_is_gone_whatever_stands_around_it(before in any::<String>(), after in any::<String>()) {
        let secret = "ghp_a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2";
        let text = format!("{before} {secret} {after}");
        prop_assert!(!mask_secrets(&text).text.contains(secret));
    }
}
