//! Measures the players that the champions of a study are compared with.

use super::{RunnerError, StudyRunner};
use crate::store::Folder;
use crate::store::baselines::{Baselines, plans};
use crate::study::Study;
use play::measure::measure;
use play::playing::Workers;

impl StudyRunner<'_> {
    /// Measures the baselines of a study, unless they have been; here, since their games are few. A study that is stopped meanwhile has
    /// none until it is run again.
    pub(super) fn measure_baselines(
        &self,
        study: &Study,
        folder: &Folder,
    ) -> Result<(), RunnerError> {
        let plans = plans(study);
        if plans.is_empty() || folder.baselines(&plans)?.is_some() {
            return Ok(());
        }
        let workers = Workers::new(self.threads)?.until(self.stop);
        let mut measured = Vec::new();
        for plan in &plans {
            let found = measure(plan, &workers, &|| {}, &mut |_| {});
            if self.is_stopped() {
                return Ok(());
            }
            measured.extend(found?);
        }
        Ok(folder.keep_baselines(&Baselines::new(&plans, &measured))?)
    }
}
