//! Claude Code's way from the lines of a file to the messages of a request.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use super::{Format, Loaded, Turn, blocks, mend, messages};

/// Milliseconds by which a line whose parent is missing may follow the line it is hung on.
const RESCUE: i64 = 5_000;

pub(super) fn load(lines: Vec<Value>) -> Loaded {
    let tree = Tree::of(&lines);
    let mut path = tree.path(tree.leaf());
    tree.add_parallel_results(&mut path);
    let mut turns = Vec::new();
    for id in &path {
        add_turn(tree.nodes[id.as_str()].line, &mut turns);
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

/// A line of the tree; of lines with one id the last one's content counts, at the first one's place.
struct Node<'a> {
    place: usize,
    line: &'a Value,
}

struct Tree<'a> {
    nodes: HashMap<&'a str, Node<'a>>,
    /// Ids of the nodes in file order.
    order: Vec<&'a str>,
    /// Parents of progress lines, which are no nodes but are followed through.
    through: HashMap<&'a str, &'a Value>,
    /// The id that counts as the leaf by a `last-prompt` line, and whether it was chosen.
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
            if line["subtype"] == "compact_boundary" {
                tree.prompted = None;
            } else if line["type"] == "last-prompt"
                && let Some(id) = line["leafUuid"].as_str()
                && tree.nodes.contains_key(id)
            {
                tree.prompted = Some((id, line["explicit"] == true));
            }
        }
        tree
    }

    fn add(&mut self, id: &'a str, line: &'a Value) {
        let place = self.order.len();
        let node = self.nodes.entry(id).or_insert_with(|| {
            self.order.push(id);
            Node { place, line }
        });
        node.line = line;
    }

    fn leaf(&self) -> Option<&'a str> {
        let is_message = |id: &&&str| {
            let line = self.nodes[**id].line;
            let kind = line["type"].as_str().unwrap_or_default();
            kind != "system" && line["isSidechain"] != true
        };
        let last = self.order.iter().rev().find(is_message).copied();
        match self.prompted {
            Some((id, true)) => Some(id),
            Some((id, false)) if !self.path(last).iter().any(|on_path| on_path == id) => Some(id),
            _ => last,
        }
    }

    /// From the leaf to the root or the newest compaction, root first.
    fn path(&self, leaf: Option<&'a str>) -> Vec<String> {
        let mut path = Vec::new();
        let mut seen = HashSet::new();
        let mut next = leaf;
        while let Some(id) = next.filter(|id| seen.insert(*id)) {
            path.push(id.to_owned());
            let node = &self.nodes[id];
            next = if node.line["subtype"] == "compact_boundary" {
                None
            } else {
                self.parent(node)
            };
        }
        path.reverse();
        path
    }

    fn parent(&self, node: &Node<'a>) -> Option<&'a str> {
        let mut parent = node.line["parentUuid"].as_str()?;
        // No chain of progress lines is longer than there are any.
        for _ in 0..=self.through.len() {
            match self.through.get(parent) {
                Some(further) => parent = further.as_str()?,
                None => break,
            }
        }
        if self.nodes.contains_key(parent) {
            Some(parent)
        } else {
            self.rescue(node)
        }
    }

    fn rescue(&self, node: &Node<'_>) -> Option<&'a str> {
        let time = time(node.line)?;
        let candidates = self.order[..node.place].iter().filter_map(|id| {
            let other = self.nodes[id].line;
            let age = time - self::time(other)?;
            let same_side = other["isSidechain"] == node.line["isSidechain"];
            (same_side && (0..=RESCUE).contains(&age)).then_some((age, *id))
        });
        // Of equally near lines the later one in the file.
        let nearest = candidates.rev().min_by_key(|(age, _)| *age)?;
        Some(nearest.1)
    }

    /// Results of parallel calls hang on branches beside the path.
    fn add_parallel_results(&self, path: &mut Vec<String>) {
        let lines_of = |id: &String| self.nodes[id.as_str()].line;
        let on_path: HashSet<String> = path.iter().cloned().collect();
        let mut answered: HashSet<String> =
            path.iter().flat_map(|id| results(lines_of(id))).collect();
        let calls: Vec<(String, String)> = path
            .iter()
            .flat_map(|id| {
                calls(lines_of(id))
                    .into_iter()
                    .map(|call| (id.clone(), call))
            })
            .collect();
        for (caller, call) in calls {
            let beside = self.order.iter().find(|id| {
                let line = self.nodes[**id].line;
                !on_path.contains(**id)
                    && line["isSidechain"] != true
                    && results(line).contains(&call)
            });
            let Some(beside) = beside.filter(|_| answered.insert(call)) else {
                continue;
            };
            let response = &lines_of(&caller)["message"]["id"];
            let same = |id: &String| {
                *id == caller || (!response.is_null() && lines_of(id)["message"]["id"] == *response)
            };
            let after = path.iter().rposition(same).map_or(path.len(), |at| at + 1);
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
