//! The list of rules and how each finds its secrets.

use std::sync::LazyLock;

use memchr::memmem::Finder;
use regex::Regex;

use super::{Found, MASK, MaskRule, private_key};

/// The rules, in the order in which they are listed to people.
pub const RULES: &[MaskRule] = &{
    let mut rules = [PRIVATE_KEY; PATTERNS.len() + 1];
    let mut index = 0;
    while index < PATTERNS.len() {
        rules[index + 1] = PATTERNS[index].rule;
        index += 1;
    }
    rules
};

const PRIVATE_KEY: MaskRule = MaskRule {
    name: "private-key",
    hides: "blocks of private keys, PEM and PGP",
};

/// A rule with what finds it.
struct Pattern {
    rule: MaskRule,
    /// At least one of these stands in every match.
    literals: &'static [&'static str],
    /// Its last group that took part is the secret, or the whole match where there is no group.
    expression: &'static str,
    /// Says no to what only looks like a secret, by its text and the character after it.
    accepts: fn(&str, Option<char>) -> bool,
}

const fn pattern(
    name: &'static str,
    hides: &'static str,
    literals: &'static [&'static str],
    expression: &'static str,
) -> Pattern {
    Pattern {
        rule: MaskRule { name, hides },
        literals,
        expression,
        accepts: |_, _| true,
    }
}

const PATTERNS: &[Pattern] = &[
    pattern(
        "model-key",
        "keys of model services (`sk-...`)",
        &["sk-"],
        r"\bsk-[A-Za-z0-9_-]{20,}",
    ),
    pattern(
        "github-token",
        "GitHub tokens (`ghp_...`, `github_pat_...`)",
        &["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"],
        r"\b(?:gh[pousr]|github_pat)_[A-Za-z0-9_]{22,}",
    ),
    pattern(
        "gitlab-token",
        "GitLab tokens (`glpat-...`)",
        &["glpat-", "gldt-", "glrt-"],
        r"\bgl(?:pat|dt|rt)-[A-Za-z0-9_-]{20,}",
    ),
    pattern(
        "aws-key",
        "AWS access key ids (`AKIA...`)",
        &["AKIA", "ASIA"],
        r"\bA[KS]IA[A-Z0-9]{16}\b",
    ),
    pattern(
        "google-key",
        "Google keys and tokens (`AIza...`, `ya29....`)",
        &["AIza", "ya29."],
        r"\b(?:AIza[A-Za-z0-9_-]{35}|ya29\.[A-Za-z0-9_-]{20,})",
    ),
    pattern(
        "slack-token",
        "Slack tokens and webhooks",
        &["xox", "xapp-", "hooks.slack.com/services/"],
        r"\b(?:(?:xox[a-z]|xapp)-[A-Za-z0-9-]{10,}|hooks\.slack\.com/services/([A-Za-z0-9/]{20,}))",
    ),
    pattern(
        "stripe-key",
        "Stripe keys (`sk_live_...`)",
        &["_live_", "_test_"],
        r"\b(?:sk|rk|whsec)_(?:live|test)_[A-Za-z0-9]{16,}",
    ),
    pattern(
        "registry-token",
        "tokens of package and model registries (`npm_...`, `pypi-...`, `hf_...`)",
        &["npm_", "pypi-", "hf_"],
        r"\b(?:npm_[A-Za-z0-9]{36}|pypi-[A-Za-z0-9_-]{50,}|hf_[A-Za-z0-9]{30,})",
    ),
    pattern(
        "service-token",
        "tokens of other services (SendGrid, DigitalOcean)",
        &["SG.", "dop_v1_"],
        r"\b(?:SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|dop_v1_[a-f0-9]{64})",
    ),
    pattern(
        "web-token",
        "signed web tokens (`eyJ....eyJ....`)",
        &["eyJ"],
        r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]+)?",
    ),
    pattern(
        "bearer-token",
        "credentials of an authorization header",
        &["earer ", "EARER ", "asic ", "ASIC "],
        r"(?i)\b(?:bearer|authorization:\s*basic)\s+([A-Za-z0-9._~+/=-]{16,})",
    ),
    pattern(
        "url-password",
        "passwords in addresses (`scheme://user:password@host`)",
        &["://"],
        r#"[A-Za-z0-9]://[^\s/:@"'<>]*:([^\s/@"'<>]+)@"#,
    ),
    pattern(
        "flag-secret",
        "secrets after an option of a command (`--password ...`)",
        &["--"],
        concat!(
            r"(?i)--(?:password|passwd|passphrase|token|secret|(?:api|access|auth)-(?:key|token))",
            r#"[ \t]+(?:"([^"\n]{4,})"|'([^'\n]{4,})'|([^\s"'`,;(){}\[\]<>$%-][^\s"'`,;(){}\[\]<>$%]{3,}))"#,
        ),
    ),
    Pattern {
        accepts: is_literal,
        ..pattern(
            "password",
            "values of settings called password, passphrase or secret",
            &[
                "assw",
                "ASSW",
                "assphrase",
                "ASSPHRASE",
                "wd",
                "WD",
                "ecret",
                "ECRET",
                "密码",
                "口令",
                "パスワード",
            ],
            concat!(
                r"(?i)(?:passw(?:or)?d|passphrase|pwd|secret(?:[_-]?(?:access[_-]?)?key)?|密码|口令|パスワード)",
                r#"["'`]?[ \t]*(?::=|=>|[:=：＝])[ \t]*"#,
                r#"(?:"([^"\n]{4,})"|'([^'\n]{4,})'|([^\s"'`,;(){}\[\]<>$%]{4,}))"#,
            ),
        )
    },
    Pattern {
        accepts: is_mixed,
        ..pattern(
            "key-setting",
            "values of settings called key or token, where they look random",
            &["key", "Key", "KEY", "oken", "OKEN"],
            concat!(
                r"(?i)(?:key|token)",
                r#"["'`]?[ \t]*(?::=|=>|[:=：＝])[ \t]*"#,
                r#"(?:"([^"\s]{12,})"|'([^'\s]{12,})'|([^\s"'`,;(){}\[\]<>$%]{12,}))"#,
            ),
        )
    },
];

/// Whether a value is no call, no index, and none of the words that documentation puts there.
fn is_literal(value: &str, next: Option<char>) -> bool {
    const WORDS: [&str; 9] = [
        "none",
        "null",
        "true",
        "false",
        "string",
        "required",
        "optional",
        "undefined",
        "prompt",
    ];
    !matches!(next, Some('(' | '[' | '{' | '<' | '$'))
        && !WORDS.iter().any(|word| value.eq_ignore_ascii_case(word))
}

/// Whether a value is literal and holds both letters and digits, as what a machine made does.
fn is_mixed(value: &str, next: Option<char>) -> bool {
    is_literal(value, next)
        && value.bytes().any(|byte| byte.is_ascii_digit())
        && value.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// A pattern that is ready to run.
struct Ready {
    literals: Vec<Finder<'static>>,
    regex: Regex,
    accepts: fn(&str, Option<char>) -> bool,
}

static READY: LazyLock<Vec<Ready>> = LazyLock::new(|| {
    PATTERNS
        .iter()
        .map(|pattern| Ready {
            literals: pattern.literals.iter().map(Finder::new).collect(),
            regex: Regex::new(pattern.expression).expect("the patterns of the list are valid"),
            accepts: pattern.accepts,
        })
        .collect()
});

/// Finds what every rule hides, rule by rule.
pub(super) fn find(text: &str) -> Vec<Found> {
    let mut found: Vec<Found> = private_key::find(text)
        .into_iter()
        .map(|range| (range, 0))
        .collect();
    for (index, ready) in READY.iter().enumerate() {
        if ready
            .literals
            .iter()
            .any(|literal| literal.find(text.as_bytes()).is_some())
        {
            ready.find(text, index + 1, &mut found);
        }
    }
    found
}

impl Ready {
    fn find(&self, text: &str, rule: usize, found: &mut Vec<Found>) {
        for captures in self.regex.captures_iter(text) {
            let secret = captures.iter().flatten().last();
            let Some(secret) = secret.filter(|secret| !secret.as_str().contains(MASK)) else {
                continue;
            };
            let next = text[secret.end()..].chars().next();
            if (self.accepts)(secret.as_str(), next) {
                found.push((secret.range(), rule));
            }
        }
    }
}
