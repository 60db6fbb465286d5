//! The queries, each in its own file under `queries/`.

/// Deletes a batch whose calls all moved away.
pub(super) const BATCH_DELETE_EMPTY: &str = include_str!("../../queries/batch_delete_empty.sql");
/// Adds a batch.
pub(super) const BATCH_INSERT: &str = include_str!("../../queries/batch_insert.sql");
/// Batches of a conversation in order.
pub(super) const BATCH_LIST: &str = include_str!("../../queries/batch_list.sql");
/// Number of the next batch of a conversation.
pub(super) const BATCH_NEXT: &str = include_str!("../../queries/batch_next.sql");
/// Row of an original by its address.
pub(super) const BLOB_FIND: &str = include_str!("../../queries/blob_find.sql");
/// Adds an original.
pub(super) const BLOB_INSERT: &str = include_str!("../../queries/blob_insert.sql");
/// Stored bytes of an original by its address.
pub(super) const BLOB_READ: &str = include_str!("../../queries/blob_read.sql");
/// All originals in the order of their rows.
pub(super) const BLOB_SCAN: &str = include_str!("../../queries/blob_scan.sql");
/// Number and uncompressed bytes of all originals.
pub(super) const BLOB_TOTALS: &str = include_str!("../../queries/blob_totals.sql");
/// Kept calls of a conversation with a provider id.
pub(super) const CALL_BY_PROVIDER_ID: &str = include_str!("../../queries/call_by_provider_id.sql");
/// Kept calls with a provider id.
pub(super) const CALL_BY_PROVIDER_ID_ANYWHERE: &str =
    include_str!("../../queries/call_by_provider_id_anywhere.sql");
/// Kept calls of a conversation with a short ref.
pub(super) const CALL_BY_REF: &str = include_str!("../../queries/call_by_ref.sql");
/// Kept calls with a short ref.
pub(super) const CALL_BY_REF_ANYWHERE: &str =
    include_str!("../../queries/call_by_ref_anywhere.sql");
/// Deletes a call.
pub(super) const CALL_DELETE: &str = include_str!("../../queries/call_delete.sql");
/// Adds a call.
pub(super) const CALL_INSERT: &str = include_str!("../../queries/call_insert.sql");
/// Calls of a conversation in order.
pub(super) const CALL_LIST: &str = include_str!("../../queries/call_list.sql");
/// What is stored about a call.
pub(super) const CALL_STANDING: &str = include_str!("../../queries/call_standing.sql");
/// Number of conversations.
pub(super) const CHECK_CONVERSATIONS: &str = include_str!("../../queries/check_conversations.sql");
/// Kept calls that lack an original.
pub(super) const CHECK_KEPT_WITHOUT_BLOB: &str =
    include_str!("../../queries/check_kept_without_blob.sql");
/// One conversation.
pub(super) const CONVERSATION_FIND: &str = include_str!("../../queries/conversation_find.sql");
/// A page of conversations with their totals.
pub(super) const CONVERSATION_LIST: &str = include_str!("../../queries/conversation_list.sql");
/// Makes a conversation known, with its parent.
pub(super) const CONVERSATION_PUT: &str = include_str!("../../queries/conversation_put.sql");
/// Makes a conversation known or refreshes its title.
pub(super) const CONVERSATION_REFRESH: &str =
    include_str!("../../queries/conversation_refresh.sql");
/// Adds an edit of a rendering.
pub(super) const EDIT_INSERT: &str = include_str!("../../queries/edit_insert.sql");
/// Edits of a rendering in order.
pub(super) const EDIT_LIST: &str = include_str!("../../queries/edit_list.sql");
/// Deletes an original unless something needs it.
pub(super) const FORGET_BLOB: &str = include_str!("../../queries/forget_blob.sql");
/// Originals that a conversation needs.
pub(super) const FORGET_CANDIDATES: &str = include_str!("../../queries/forget_candidates.sql");
/// Deletes a conversation with all that hangs on it.
pub(super) const FORGET_CONVERSATION: &str = include_str!("../../queries/forget_conversation.sql");
/// Number of refs of a conversation.
pub(super) const FORGET_REFS: &str = include_str!("../../queries/forget_refs.sql");
/// Adds a rendering unless its output is known.
pub(super) const RENDERING_INSERT: &str = include_str!("../../queries/rendering_insert.sql");
/// Renderings up to a length, longest first.
pub(super) const RENDERING_LIST: &str = include_str!("../../queries/rendering_list.sql");
