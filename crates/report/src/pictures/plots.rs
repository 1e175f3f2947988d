//! Charts from the plot data of the runs themselves.

use super::{Sheet, picture};
use crate::Picture;
use crate::charts::{Axes, Series, lines, scatter};
use lab::run::plot::{Plot, Style};

/// The plots of the runs: plots of the same name share a chart; of several repeats only the first is drawn.
pub(super) fn plots(sheet: &Sheet<'_>) -> Vec<Picture> {
    let results = sheet.results;
    let mut joined: Vec<Plot> = Vec::new();
    for setting in &results.settings {
        let Some(run) = setting.runs.iter().find(|run| run.outcome.is_some()) else {
            continue;
        };
        let of_outcome = run.outcome.iter().flat_map(|outcome| &outcome.plots);
        let of_status = run.status.iter().flat_map(|status| &status.plots);
        for plot in of_outcome.chain(of_status) {
            let mut plot = plot.clone();
            if results.settings.len() > 1 {
                for (label, _) in &mut plot.series {
                    *label = if label.is_empty() {
                        setting.label.clone()
                    } else {
                        format!("{}, {label}", setting.label)
                    };
                }
            }
            match joined.iter_mut().find(|known| known.name == plot.name) {
                Some(known) => known.series.extend(plot.series),
                None => joined.push(plot),
            }
        }
    }
    joined.iter().map(|plot| draw(sheet, plot)).collect()
}

fn draw(sheet: &Sheet<'_>, plot: &Plot) -> Picture {
    let [log_x, log_y] = plot.log;
    let axes = Axes {
        log_x,
        log_y,
        ..sheet.axes(&plot.title, &plot.x, &plot.y)
    };
    let series: Vec<Series> = plot
        .series
        .iter()
        .map(|(label, points)| Series {
            label: label.clone(),
            points: points.clone(),
            ..Series::default()
        })
        .collect();
    let svg = match plot.style {
        Style::Lines => lines(&axes, &series),
        Style::Points => scatter(&axes, &series),
    };
    picture(&plot.name, &plot.title, svg)
}
