//! `epitome mcp`: the tool tables of sessions and of documents over MCP on standard input and
//! output.

use std::borrow::Cow;
use std::sync::Arc;

use epitome_condenser::tools as session_tools;
use epitome_retriever::tools as document_tools;
use epitome_retriever::tools::ToolAnswer;
use rmcp::ErrorData;
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    ListToolsResult, MetaObject, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
    ToolAnnotations,
};
use rmcp::service::{RequestContext, RoleServer, ServerInitializeError, ServiceExt as _};
use rmcp::transport::stdio;
use serde_json::Value;

use crate::failure::{Exit, Failure, Result};
use crate::place::StorePlace;
use crate::settings::tool_settings;
use crate::terminal::{Loudness, Stream, Terminal};

const INSTRUCTIONS: &str = "Tool outputs of this session may have been replaced by summaries that \
                            name a ref. Get an original back by its ref with context_tree_query. \
                            Documents that the user imported are found with suggest and search, \
                            and read with read, ls and grep.";

/// Serves until standard input ends.
pub(crate) fn run(place: StorePlace, terminal: &Terminal) -> Result<Exit> {
    let told = |error: &dyn std::fmt::Display| {
        Failure::with(Exit::Failed, format!("serve MCP: {error}"), None)
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| told(&error))?;
    let server = Server {
        place,
        terminal: terminal.clone(),
    };
    let outcome = runtime.block_on(async {
        match server.serve(stdio()).await {
            Ok(running) => running
                .waiting()
                .await
                .map(drop)
                .map_err(|error| told(&error)),
            // The client went away before it said anything.
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(told(&error)),
        }
    });
    // A read of standard input that has begun must not keep the process alive.
    runtime.shutdown_background();
    outcome.map(|()| Exit::Done)
}

struct Server {
    place: StorePlace,
    terminal: Terminal,
}

/// A tool of one of the two tables.
enum AnyTool {
    Session(session_tools::Tool),
    Document(document_tools::Tool),
}

fn table() -> Vec<AnyTool> {
    let sessions = session_tools::table().into_iter().map(AnyTool::Session);
    let documents = document_tools::table().into_iter().map(AnyTool::Document);
    sessions.chain(documents).collect()
}

impl AnyTool {
    fn name(&self) -> &'static str {
        match self {
            Self::Session(tool) => tool.name,
            Self::Document(tool) => tool.name,
        }
    }

    fn call(&self, place: &StorePlace, arguments: &Value) -> Result<ToolAnswer> {
        match self {
            Self::Session(tool) => {
                let answer = (tool.call)(place.open_to_read()?.as_ref(), arguments);
                Ok(ToolAnswer {
                    text: answer.text,
                    is_error: answer.is_error,
                })
            }
            Self::Document(tool) => {
                let store = place.open_documents_to_read()?;
                Ok((tool.call)(store.as_ref(), &tool_settings()?, arguments))
            }
        }
    }
}

impl Server {
    /// Answers a call. The store is opened for each: it may be made or replaced meanwhile.
    fn answer(&self, tool: &AnyTool, arguments: &Value) -> ToolAnswer {
        let failed = |text: String| ToolAnswer {
            text,
            is_error: true,
        };
        if !self.place.exists() {
            return failed(format!(
                "There is no store at {} yet: no session was condensed and no document imported \
                 into it. The server was started with this store; EPITOME_STORE or --store names \
                 another one.",
                self.place.path.display()
            ));
        }
        match tool.call(&self.place, arguments) {
            Ok(answer) => answer,
            Err(Failure::Told { what, help, .. }) => {
                failed(format!("Could not {what}. {}", help.unwrap_or_default()))
            }
            Err(Failure::BrokenPipe) => failed("The store could not be read.".to_owned()),
        }
    }

    fn log(&self, text: &str) {
        if self.terminal.loudness == Loudness::Verbose {
            // A log that cannot be written is no reason to stop serving.
            let _ = self.terminal.line(Stream::Error, text);
        }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("epitome", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = table().into_iter().map(described).collect();
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let table = table();
        let Some(tool) = table.iter().find(|tool| tool.name() == request.name) else {
            let text: Cow<'static, str> = format!("there is no tool `{}`", request.name).into();
            return Err(ErrorData::invalid_params(text, None));
        };
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let answer = self.answer(tool, &arguments);
        self.log(&format!(
            "{} {arguments}: {} bytes{}",
            tool.name(),
            answer.text.len(),
            if answer.is_error { ", failed" } else { "" }
        ));
        let content = vec![ContentBlock::text(answer.text)];
        Ok(if answer.is_error {
            CallToolResult::error(content).into()
        } else {
            CallToolResult::success(content).into()
        })
    }
}

/// A tool of a table as the protocol describes it.
fn described(tool: AnyTool) -> Tool {
    let (name, description, schema, meta) = match tool {
        AnyTool::Session(tool) => (tool.name, tool.description, tool.input_schema, tool.meta),
        AnyTool::Document(tool) => (tool.name, tool.description, tool.input_schema, None),
    };
    let schema = match schema {
        Value::Object(schema) => schema,
        _ => serde_json::Map::new(),
    };
    let annotations = ToolAnnotations::new().read_only(true).open_world(false);
    let described = Tool::new(name, description, Arc::new(schema)).with_annotations(annotations);
    match meta {
        Some(Value::Object(meta)) => described.with_meta(MetaObject(meta)),
        _ => described,
    }
}
