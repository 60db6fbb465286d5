//! Claude Code's way from the lines of a file to the messages of a request.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use super::{Format, Loaded, Turn, blocks, mend, messages};

/// Milliseconds by which a line whose parent is missing may follow the line it is hung on.
const RESCUE: i64 = 5_000;

pub(super) fn load(lines: Vec<Value>) -> Loaded {
    let tree = Tree::of(&lines);
    let mut path = tree.path(tree.leaf());
    tree.add_parallel_lines(&mut path);
    let mut turns = Vec::new();
    for id in &path {
        add_turn(tree.nodes[id.as_str()], &mut turns);
    }
    // A message of thinking alone is not sent; an empty one is, as a placeholder.
    turns.retain(|turn| turn.blocks.is_empty() || !turn.blocks.iter().all(is_thinking));
    let mut mended = Vec::new();
    for turn in turns.iter_mut().filter(|turn| turn.blocks.is_empty()) {
        mended.push(format!("an empty message of the {}", turn.role));
        turn.blocks
            .push(json!({ "type": "text", "text": "(no content)" }));
    }
    let turns = mend::mend(turns, &mut mended);
    let messages = messages(turns);
    Loaded {
        format: Format::ClaudeCode,
        path,
        messages,
        mended,
        lines,
    }
}

fn is_thinking(block: &Value) -> bool {
    block["type"] == "thinking" || block["type"] == "redacted_thinking"
}

struct Tree<'a> {
    /// Lines by their ids; of several with one id the last one counts.
    nodes: HashMap<&'a str, &'a Value>,
    /// Their ids in file order.
    order: Vec<&'a str>,
    /// Parents of progress lines, which are no nodes but are followed through.
    through: HashMap<&'a str, &'a Value>,
    /// The id that the last `last-prompt` line names, and whether it was chosen and nothing was
    /// said since.
    prompted: Option<(&'a str, bool)>,
}

impl<'a> Tree<'a> {
    fn of(lines: &'a [Value]) -> Self {
        let mut tree = Self {
            nodes: HashMap::new(),
            order: Vec::new(),
            through: HashMap::new(),
            prompted: None,
        };
        for line in lines {
            let id = line["uuid"].as_str();
            match (line["type"].as_str().unwrap_or_default(), id) {
                ("user" | "assistant" | "attachment" | "system", Some(id)) => tree.add(id, line),
                ("progress", Some(id)) => {
                    tree.through.insert(id, &line["parentUuid"]);
                }
                _ => {}
            }
        }
        for line in lines {
            let kind = line["type"].as_str().unwrap_or_default();
            if line["subtype"] == "compact_boundary" {
                tree.prompted = None;
            } else if ["user", "assistant"].contains(&kind) {
                tree.prompted = tree.prompted.map(|(id, _)| (id, false));
            } else if kind == "last-prompt"
                && let Some(id) = line["leafUuid"].as_str()
                && tree.nodes.contains_key(id)
            {
                tree.prompted = Some((id, line["explicit"] == true));
            }
        }
        tree
    }

    fn add(&mut self, id: &'a str, line: &'a Value) {
        if self.nodes.contains_key(id) {
            self.order.retain(|other| *other != id);
        }
        self.order.push(id);
        self.nodes.insert(id, line);
    }

    fn leaf(&self) -> Option<&'a str> {
        let is_message = |id: &&&str| {
            let line = self.nodes[**id];
            let kind = line["type"].as_str().unwrap_or_default();
            kind != "system" && line["isSidechain"] != true
        };
        let last = self.order.iter().rev().find(is_message).copied();
        match self.prompted {
            Some((id, true)) => Some(id),
            Some((id, false)) if !self.descends(last, id) => Some(id),
            _ => last,
        }
    }

    /// Whether a line is, or follows, another by parents that exist.
    fn descends(&self, line: Option<&'a str>, ancestor: &str) -> bool {
        let mut seen = HashSet::new();
        let mut next = line;
        while let Some(id) = next.filter(|id| seen.insert(*id)) {
            if id == ancestor {
                return true;
            }
            next = self
                .named_parent(id)
                .filter(|id| self.nodes.contains_key(id));
        }
        false
    }

    /// From the leaf to the root or the newest compaction, root first.
    fn path(&self, leaf: Option<&'a str>) -> Vec<String> {
        let mut path = Vec::new();
        let mut seen = HashSet::new();
        let mut next = leaf;
        while let Some(id) = next.filter(|id| seen.insert(*id)) {
            path.push(id.to_owned());
            next = if self.nodes[id]["subtype"] == "compact_boundary" {
                None
            } else {
                self.parent(id)
            };
        }
        path.reverse();
        path
    }

    fn parent(&self, id: &'a str) -> Option<&'a str> {
        let parent = self.named_parent(id)?;
        if self.nodes.contains_key(parent) {
            Some(parent)
        } else {
            self.rescue(id)
        }
    }

    /// The parent that a line names, through progress lines.
    fn named_parent(&self, id: &str) -> Option<&'a str> {
        let mut parent = self.nodes[id]["parentUuid"].as_str()?;
        // No chain of progress lines is longer than there are any.
        for _ in 0..=self.through.len() {
            match self.through.get(parent) {
                Some(further) => parent = further.as_str()?,
                None => break,
            }
        }
        Some(parent)
    }

    /// A line whose parent does not exist hangs on the nearest one before it in time.
    fn rescue(&self, id: &str) -> Option<&'a str> {
        let line = self.nodes[id];
        let time = time(line)?;
        let earlier = self.order.iter().take_while(|other| **other != id);
        let candidates = earlier.filter_map(|other| {
            let age = time - self::time(self.nodes[other])?;
            let same_side = self.nodes[other]["isSidechain"] == line["isSidechain"];
            (same_side && (0..=RESCUE).contains(&age)).then_some((age, *other))
        });
        // Of equally near lines the later one in the file.
        let nearest = candidates.reduce(|best, other| if other.0 <= best.0 { other } else { best });
        nearest.map(|(_, id)| id)
    }

    /// Lines of a response on the path hang beside it where calls were parallel; so do results.
    fn add_parallel_lines(&self, path: &mut Vec<String>) {
        let response = |id: &str| {
            let line = self.nodes[id];
            line["message"]["id"]
                .as_str()
                .filter(|_| line["type"] == "assistant")
        };
        let mut on_path: HashSet<String> = path.iter().cloned().collect();
        let main = |id: &&&str| self.nodes[**id]["isSidechain"] != true;
        for id in self.order.iter().filter(main) {
            let Some(this) = response(id).filter(|_| !on_path.contains(*id)) else {
                continue;
            };
            if let Some(last) = path.iter().rposition(|id| response(id) == Some(this)) {
                path.insert(last + 1, (*id).to_owned());
                on_path.insert((*id).to_owned());
            }
        }
        let calls: Vec<(String, String)> = path
            .iter()
            .flat_map(|id| {
                calls(self.nodes[id.as_str()])
                    .into_iter()
                    .map(|call| (id.clone(), call))
            })
            .collect();
        let mut answered: HashSet<String> = path
            .iter()
            .flat_map(|id| results(self.nodes[id.as_str()]))
            .collect();
        // Backwards, so that results of one response end up in the order of its calls.
        for (caller, call) in calls.into_iter().rev() {
            let same = |id: &str| {
                id == caller || response(id).is_some() && response(id) == response(&caller)
            };
            // Its parent is a line of the response.
            let answers = |id: &&&str| {
                let line = self.nodes[**id];
                let parent = line["parentUuid"].as_str();
                results(line).contains(&call)
                    && parent.is_some_and(|id| self.nodes.contains_key(id) && same(id))
            };
            let beside = self.order.iter().filter(main).find(answers);
            let Some(beside) = beside.filter(|_| answered.insert(call.clone())) else {
                continue;
            };
            let after = path.iter().rposition(|id| same(id));
            let after = after.map_or(path.len(), |at| at + 1);
            path.insert(after, (*beside).to_owned());
        }
    }
}

fn ids(line: &Value, kind: &str, key: &str) -> Vec<String> {
    let blocks = line["message"]["content"].as_array();
    let blocks = blocks.into_iter().flatten();
    blocks
        .filter(|block| block["type"] == kind)
        .filter_map(|block| Some(block[key].as_str()?.to_owned()))
        .collect()
}

fn calls(line: &Value) -> Vec<String> {
    ids(line, "tool_use", "id")
}

fn results(line: &Value) -> Vec<String> {
    ids(line, "tool_result", "tool_use_id")
}

/// Adds what a line says; lines of one response are one turn, results between them or not.
fn add_turn(line: &Value, turns: &mut Vec<Turn>) {
    let role = match line["type"].as_str() {
        Some("assistant") => "assistant",
        Some("user") => "user",
        _ => return,
    };
    let message = &line["message"];
    let response = message["id"].as_str().filter(|_| role == "assistant");
    let blocks = blocks(&message["content"]);
    let only_results = |turn: &&mut Turn| {
        turn.blocks
            .iter()
            .all(|block| block["type"] == "tool_result")
    };
    let begun = turns
        .iter_mut()
        .rev()
        .take_while(|turn| turn.role == "assistant" || only_results(turn))
        .find(|turn| response.is_some() && turn.response.as_deref() == response);
    match begun {
        Some(turn) => turn.blocks.extend(blocks),
        None => turns.push(Turn {
            role,
            response: response.map(str::to_owned),
            blocks,
        }),
    }
}

/// Milliseconds since an arbitrary moment, of `YYYY-MM-DDThh:mm:ss.mmmZ`; every month counts 31
/// days, which keeps the order and is exact within a month.
fn time(line: &Value) -> Option<i64> {
    let text = line["timestamp"].as_str()?;
    let mut numbers = text
        .split(|c: char| !c.is_ascii_digit())
        .map(|digits| digits.parse::<i64>().ok());
    let mut next = || numbers.next().flatten();
    let days = (next()? * 12 + next()?) * 31 + next()?;
    let seconds = (next()? * 60 + next()?) * 60 + next()?;
    Some((days * 86_400 + seconds) * 1_000 + next().unwrap_or(0))
}
