//! Originals: packed, addressed by their SHA-256, stored once.

use epitome_core::id::BlobId;
use rusqlite::{Connection, OptionalExtension, params};
use zstd::bulk::{Compressor, Decompressor};

use super::failure::Attempt;
use super::{Writer, queries};
use crate::ErrorKind;

/// Zstandard level: the fastest one. Tool results are text that compresses well at any level.
const LEVEL: i32 = 1;

/// Originals below this many bytes are not worth a frame around them.
const PACK_FROM: usize = 64;

/// A buffer beyond this many bytes is given back after its flush.
const KEEP_BUFFER: usize = 4 << 20;

/// Stored as it is.
const RAW: u8 = 0;

/// Stored as one Zstandard frame that names its content size.
const ZSTD: u8 = 1;

/// Packs originals with one context and one buffer for all of them: making a context anew for
/// each original costs more than packing a small one.
pub(super) struct Packer {
    compressor: Option<Compressor<'static>>,
    buffer: Vec<u8>,
}

impl Packer {
    /// Makes a packer; its context is made at the first use.
    pub(super) fn new() -> Self {
        Self {
            compressor: None,
            buffer: Vec::new(),
        }
    }

    /// Gives back the memory of an unusually large original.
    pub(super) fn shrink(&mut self) {
        if self.buffer.capacity() > KEEP_BUFFER {
            *self = Self::new();
        }
    }

    /// Returns the smaller form of the bytes with its codec. What does not pack stays raw.
    pub(super) fn pack<'a>(&'a mut self, bytes: &'a [u8]) -> (u8, &'a [u8]) {
        if bytes.len() >= PACK_FROM && self.compress(bytes) && self.buffer.len() < bytes.len() {
            (ZSTD, &self.buffer)
        } else {
            (RAW, bytes)
        }
    }

    fn compress(&mut self, bytes: &[u8]) -> bool {
        if self.compressor.is_none() {
            self.compressor = Compressor::new(LEVEL).ok();
        }
        self.buffer.clear();
        self.buffer
            .reserve(zstd::zstd_safe::compress_bound(bytes.len()));
        let Some(compressor) = &mut self.compressor else {
            return false;
        };
        compressor
            .compress_to_buffer(bytes, &mut self.buffer)
            .is_ok()
    }
}

/// Stores an original once. Returns its row and how many of its bytes were new.
pub(super) fn put(writer: &mut Writer<'_>, bytes: &[u8]) -> Attempt<(i64, u64)> {
    let address = BlobId::of(bytes);
    let mut find = writer.connection.prepare_cached(queries::BLOB_FIND)?;
    let known = find
        .query_row([address.as_bytes()], |row| row.get(0))
        .optional()?;
    if let Some(row) = known {
        return Ok((row, 0));
    }
    let (codec, data) = writer.packer.pack(bytes);
    let mut insert = writer.connection.prepare_cached(queries::BLOB_INSERT)?;
    let row = insert.insert(params![address.as_bytes(), codec, bytes.len(), data])?;
    Ok((row, bytes.len() as u64))
}

/// Reads an original and checks it against its address.
pub(super) fn read(connection: &Connection, id: &BlobId) -> Attempt<Vec<u8>> {
    let damaged = |reason: String| ErrorKind::Damaged {
        blob: id.to_string(),
        reason,
    };
    let mut statement = connection.prepare_cached(queries::BLOB_READ)?;
    let mut rows = statement.query([id.as_bytes()])?;
    let Some(row) = rows.next()? else {
        return Err(damaged("it is not in the store".to_owned()).into());
    };
    let data = row.get_ref(2)?.as_blob().map_err(rusqlite::Error::from)?;
    Ok(unpack(id, row.get(0)?, row.get(1)?, data).map_err(damaged)?)
}

/// Unpacks stored bytes; tells in a clause what is wrong with damaged ones.
pub(super) fn unpack(id: &BlobId, codec: u8, length: u64, data: &[u8]) -> Result<Vec<u8>, String> {
    let bytes = unpack_unchecked(codec, length, data)?;
    if BlobId::of(&bytes) != *id {
        return Err("its bytes do not have its address".to_owned());
    }
    Ok(bytes)
}

/// Unpacks stored bytes that have no address to check them against.
pub(super) fn unpack_unchecked(codec: u8, length: u64, data: &[u8]) -> Result<Vec<u8>, String> {
    let bytes = match codec {
        RAW => data.to_vec(),
        ZSTD => decompress(length, data)?,
        other => return Err(format!("it is packed in an unknown way ({other})")),
    };
    if bytes.len() as u64 != length {
        return Err(format!("it has {} bytes instead of {length}", bytes.len()));
    }
    Ok(bytes)
}

fn decompress(length: u64, data: &[u8]) -> Result<Vec<u8>, String> {
    // The frame names its size, so a damaged length never makes a huge allocation.
    if Decompressor::upper_bound(data).map(|bound| bound as u64) != Some(length) {
        return Err("its frame does not have its length".to_owned());
    }
    let mut bytes = Vec::new();
    let capacity = usize::try_from(length).map_err(|_| "it does not fit in memory")?;
    bytes
        .try_reserve_exact(capacity)
        .map_err(|_| "it does not fit in memory")?;
    Decompressor::new()
        .and_then(|mut decompressor| decompressor.decompress_to_buffer(data, &mut bytes))
        .map_err(|error| format!("it does not unpack ({error})"))?;
    Ok(bytes)
}
