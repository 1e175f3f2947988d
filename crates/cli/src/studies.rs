//! What the commands on studies and runs share: errors, and how a study ends.

use lab::conduct::Conducted;
use lab::store::{IndexError, Store, StoreError};
use lab::study::{Study, StudyError};

use crate::output::{Failure, print};

impl From<StudyError> for Failure {
    fn from(error: StudyError) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unknown { .. } | StoreError::Locked(_) | StoreError::Study(_) => {
                Self::Usage(error.to_string())
            }
            other => Self::Failed(other.into()),
        }
    }
}

impl From<IndexError> for Failure {
    fn from(error: IndexError) -> Self {
        match error {
            IndexError::Store(error) => error.into(),
            other => Self::Failed(other.into()),
        }
    }
}

/// Writes the report, tells whom the study names, and prints what came out.
pub(crate) fn end(study: &Study, _store: &Store, conducted: Conducted) -> Result<(), Failure> {
    print(&format!(
        "{}: {} of {} runs\n",
        study.name, conducted.finished, conducted.runs
    ))?;
    if let Some((run, error)) = conducted.failed.into_iter().next() {
        return Err(Failure::Failed(
            anyhow::Error::from(error).context(format!("{run} failed")),
        ));
    }
    if conducted.interrupted {
        return Err(Failure::Interrupted);
    }
    Ok(())
}
