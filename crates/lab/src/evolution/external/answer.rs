//! One request to the program and its answer: `{"id":17,"genome":[0.5,-1.25],"seed":123}`, then `{"id":17,"fitness":3.25}` or just `3.25`.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::error::Fault;
use play::bots::{Process, Silence, quoted};

/// How often a waiting thread checks whether the answer is still needed.
const LOOK: Duration = Duration::from_millis(200);

/// A request to a program.
#[derive(Debug, Clone, Copy)]
pub(super) struct Question<'a> {
    /// Repeated in the answer.
    pub(super) id: u64,
    /// The genome to score.
    pub(super) genome: &'a [f64],
    /// Random seed.
    pub(super) seed: u64,
}

impl Question<'_> {
    /// As a line of JSON.
    pub(super) fn line(&self) -> String {
        json!({"id": self.id, "genome": self.genome, "seed": self.seed}).to_string()
    }
}

/// Sends a request and waits for the answer, unless it is no longer needed.
pub(super) fn converse(
    program: &mut Process,
    id: u64,
    question: &str,
    time: Duration,
    is_unwanted: &dyn Fn() -> bool,
) -> Result<f64, Fault> {
    // Bare numbers have no id: an extra one would be taken for the answer to the next request.
    if let Some(line) = program.unasked() {
        return Err(Fault::Unasked(quoted(&line)));
    }
    let since = Instant::now();
    program.send(question);
    loop {
        let left = time.saturating_sub(since.elapsed());
        match program.line(Instant::now(), left.min(LOOK)) {
            Ok(line) if line.trim().is_empty() => {}
            Ok(line) => return read(&line, id),
            Err(Silence::TooSlow(_)) if since.elapsed() >= time => {
                return Err(Silence::TooSlow(time).into());
            }
            Err(Silence::TooSlow(_)) if is_unwanted() => return Err(Fault::Unwanted),
            Err(Silence::TooSlow(_)) => {}
            Err(silence) => return Err(silence.into()),
        }
    }
}

/// The fitness in a line.
fn read(line: &str, id: u64) -> Result<f64, Fault> {
    if let Ok(number) = line.trim().parse() {
        return finite(number, line);
    }
    let Ok(Value::Object(answer)) = serde_json::from_str(line) else {
        // Several languages write these into JSON although they are not allowed.
        let is_number = ["NaN", "Infinity"].iter().any(|name| line.contains(name));
        return Err(if is_number {
            Fault::NotFinite(quoted(line))
        } else {
            Fault::Garbage(quoted(line))
        });
    };
    // Languages with a single number type write 17.0.
    let is_same = |theirs: &Value| theirs.as_f64() == Some(id as f64);
    if answer.get("id").is_some_and(|theirs| !is_same(theirs)) {
        return Err(Fault::OtherQuestion(quoted(line)));
    }
    match (answer.get("error"), answer.get("fitness")) {
        (Some(Value::String(error)), _) => Err(Fault::GaveUp(quoted(error))),
        (Some(error), _) if !error.is_null() => Err(Fault::GaveUp(quoted(&error.to_string()))),
        (_, Some(Value::Number(number))) => finite(number.as_f64().unwrap_or(f64::NAN), line),
        _ => Err(Fault::NoFitness(quoted(line))),
    }
}

fn finite(number: f64, line: &str) -> Result<f64, Fault> {
    if number.is_finite() {
        Ok(number)
    } else {
        Err(Fault::NotFinite(quoted(line)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read() {
        for line in [
            r#"{"id":17,"fitness":3.25}"#,
            r#" {"fitness": 3.25, "id": 17.0, "steps": [1], "error": null} "#,
            r#"{"fitness":325e-2}"#,
            "3.25",
            " +3.25\r",
        ] {
            assert_eq!(read(line, 17).ok(), Some(3.25), "{line}");
        }
        assert_eq!(read(r#"{"fitness":-4}"#, 0).ok(), Some(-4.0));
    }

    #[test]
    fn what_is_no_answer_is_refused_with_the_reason() {
        let check = |line: &str, part: &str| {
            let fault = read(line, 17).unwrap_err().to_string();
            assert!(fault.contains(part), "{line}: {fault}");
        };
        check("hello", "'hello'");
        check("[1]", "is not an answer");
        check("{\"id\":17,", "is not an answer");
        check("nan", "not a finite number");
        check("1e999", "not a finite number");
        check(r#"{"id":17,"fitness":NaN}"#, "not a finite number");
        check(r#"{"id":17,"fitness":-Infinity}"#, "not a finite number");
        check(r#"{"id":17,"fitness":null}"#, "without a number");
        check(r#"{"id":17,"fitness":"3"}"#, "without a number");
        check(r#"{"id":16,"fitness":3}"#, "another request");
        check(r#"{"id":17,"error":"no licence"}"#, "gave up: 'no licence'");
        check(r#"{"id":17,"error":{"code":1}}"#, "gave up: '{\"code\":1}'");
    }

    #[test]
    fn a_question_is_a_line_of_json() {
        let question = Question {
            id: 17,
            genome: &[0.5, -1.25, 3.0],
            seed: 9_007_199_254_740_991,
        };
        let expected = r#"{"id":17,"genome":[0.5,-1.25,3.0],"seed":9007199254740991}"#;
        assert_eq!(question.line(), expected);
    }
}
