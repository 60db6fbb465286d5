//! Which calls stay raw because the user protects their tool or their file.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use crate::glob::Glob;

/// Pattern of the paths that are protected by default.
pub const DEFAULT_PROTECTED_PATH: &str = "**/skills/**/*.md";

/// Names of the arguments that hold a path, by default.
pub const PATH_ARGUMENTS: [&str; 5] =
    ["path", "file_path", "filePath", "notebook_path", "filename"];

/// What the user protects from being condensed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Protection {
    /// Names of tools, exact.
    pub tools: Vec<String>,
    /// Patterns of paths.
    pub globs: Vec<Glob>,
    /// Names of top-level arguments that hold a path.
    pub arguments: Vec<String>,
}

impl Protection {
    /// Compiles the lists of a configuration; paths are looked for in [`PATH_ARGUMENTS`].
    pub fn new(tools: &[impl AsRef<str>], patterns: &[impl AsRef<str>]) -> Self {
        Self {
            tools: tools.iter().map(|tool| tool.as_ref().to_owned()).collect(),
            globs: patterns
                .iter()
                .map(|pattern| Glob::new(pattern.as_ref()))
                .collect(),
            arguments: PATH_ARGUMENTS.map(str::to_owned).to_vec(),
        }
    }

    /// Protects nothing.
    pub fn none() -> Self {
        Self::new(&[""; 0], &[""; 0])
    }

    /// Whether a call is protected, by its tool's name or by a path among its arguments.
    ///
    /// `args` is the raw JSON text of the arguments; anything but an object holds no path.
    /// Backslashes of the path count as slashes.
    pub fn protects(&self, tool: &str, args: &str) -> bool {
        if self.tools.iter().any(|protected| protected == tool) {
            return true;
        }
        if self.globs.is_empty() {
            return false;
        }
        // Values are only skipped here, so that large arguments stay cheap.
        let Ok(values) = serde_json::from_str::<BTreeMap<String, &RawValue>>(args) else {
            return false;
        };
        self.arguments
            .iter()
            .filter_map(|name| values.get(name))
            .filter_map(|value| serde_json::from_str::<String>(value.get()).ok())
            .any(|path| self.protects_path(&path))
    }

    fn protects_path(&self, path: &str) -> bool {
        let path = path.replace('\\', "/");
        self.globs.iter().any(|glob| glob.matches(&path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn tools_and_paths_are_protected() {
        let protection = Protection::new(&["todo"], &[DEFAULT_PROTECTED_PATH, "src/*.rs"]);
        let check = |tool: &str, args: &str, expected: bool| {
            assert_eq!(protection.protects(tool, args), expected, "{tool} {args}");
        };
        check("todo", "not even JSON", true); // 330
        check("Todo", "{}", false); // 330
        check("read", r#"{"path":"a/skills/b/SKILL.md"}"#, true); // 331
        check("read", r#"{"path":"a/other/SKILL.md"}"#, false); // 331
        check("read", r#"{"path":"a\\skills\\b.md"}"#, true); // 332
        check("read", r#"{"path":7}"#, false); // 333
        check("read", r#"{"path":null,"x":"src/a.rs"}"#, false); // 333
        check("read", "{}", false); // 333
        check("read", "null", false); // 333
        check("read", r#"["src/a.rs"]"#, false); // 333
        check("read", r#"{"input":{"path":"src/a.rs"}}"#, false); // 333
        check("Read", r#"{"file_path":"src/a.rs"}"#, true);
        check("edit", r#"{"filePath":"src/a.rs"}"#, true);
        check("edit", r#"{"notebook_path":"src/a.rs"}"#, true);
        check("edit", r#"{"filename":"src/a.rs","text":"\ud800"}"#, true);
        check("edit", r#"{"path":"no","file_path":"src/a.rs"}"#, true);
        check("edit", r#"{"pa\u0074h":"src\u002fa.rs"}"#, true);
    }

    #[test]
    fn empty_lists_protect_nothing() {
        let args = r#"{"path":"skills/a.md"}"#;
        assert!(!Protection::none().protects("todo", args)); // 334
    }

    #[test]
    fn argument_names_can_be_chosen() {
        let mut protection = Protection::new(&[""; 0], &["*.key"]);
        protection.arguments = vec!["target".to_owned()];
        assert!(protection.protects("put", r#"{"target":"a.key"}"#));
        assert!(!protection.protects("put", r#"{"path":"a.key"}"#));
    }

    proptest! {
        #[test]
        fn never_panics(tool in any::<String>(), args in any::<String>()) {
            let _ = Protection::new(&["a"], &["**"]).protects(&tool, &args);
        }
    }
}
