//! An interrupt by the user: a write that has begun is finished first.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Held while a file is written.
static WRITING: Mutex<()> = Mutex::new(());

/// What a shell reports for a command that was interrupted.
const INTERRUPTED: i32 = 130;

/// From now on an interrupt ends the process with code 130, but never within a write.
///
/// Flushes need no such care: the store undoes what was not committed.
pub(crate) fn watch() {
    // Without the thread an interrupt ends the process at once, as is usual.
    let _ = std::thread::Builder::new()
        .name("interrupt".to_owned())
        .spawn(|| {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build();
            let Ok(runtime) = runtime else { return };
            if runtime.block_on(tokio::signal::ctrl_c()).is_ok() {
                let _whole = hold();
                std::process::exit(INTERRUPTED);
            }
        });
}

/// From now on the first interrupt sets the flag that is returned, for work that ends itself between
/// two steps; the second one ends the process at once.
pub(crate) fn flag() -> &'static AtomicBool {
    static FLAG: AtomicBool = AtomicBool::new(false);
    // Without the thread an interrupt ends the process at once, as is usual.
    let _ = std::thread::Builder::new()
        .name("interrupt".to_owned())
        .spawn(|| {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build();
            let Ok(runtime) = runtime else { return };
            runtime.block_on(async {
                while tokio::signal::ctrl_c().await.is_ok() {
                    if FLAG.swap(true, Ordering::Relaxed) {
                        std::process::exit(INTERRUPTED);
                    }
                }
            });
        });
    &FLAG
}

/// Keeps an interrupt waiting until the guard is dropped.
pub(crate) fn hold() -> MutexGuard<'static, ()> {
    WRITING.lock().unwrap_or_else(PoisonError::into_inner)
}
