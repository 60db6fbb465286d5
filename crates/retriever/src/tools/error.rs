//! Why a tool could not answer. As text: a fragment that fits "could not {error}".

/// Errors of the tools; a model reads them, and goes on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ToolError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] epitome_index::Error),
    /// An argument is missing or of another kind.
    #[error("use the argument `{name}`: {reason}")]
    Argument {
        /// Its name.
        name: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// Nothing in the store has this path.
    #[error("find `{path}` among the imported documents{}", nearest_text(.nearest))]
    UnknownPath {
        /// The path that was asked for.
        path: String,
        /// Paths that exist and look alike, the nearest first.
        nearest: Vec<String>,
    },
    /// A folder or a source cannot be read as a document.
    #[error("read `{path}`: it is a folder; list it with `ls`")]
    IsFolder {
        /// The path.
        path: String,
    },
    /// A document has fewer lines.
    #[error("read `{path}` from line {line}: it has {total} lines")]
    BehindEnd {
        /// Address of the document.
        path: String,
        /// The line that was asked for.
        line: usize,
        /// Lines of the document.
        total: usize,
    },
    /// A pattern is no regular expression, or too large.
    #[error("use the pattern `{pattern}`: {reason}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
}

fn nearest_text(nearest: &[String]) -> String {
    if nearest.is_empty() {
        return String::new();
    }
    format!("; nearest: {}", nearest.join(", "))
}
