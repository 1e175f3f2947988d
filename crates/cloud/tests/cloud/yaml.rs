//! YAML as it is written; `external.rs` checks that other programs can read it.

use cloud::yaml::document;
use serde_json::json;

#[test]
fn values_are_readable() {
    let value = json!({
        "name": "gamete-worker",
        "count": 3,
        "truth": true,
        "texts": ["yes", "3", "", "a: b", "-x", "plain", "#no", "~", "it's \"so\""],
        "empty": {"map": {}, "list": []},
        "list": [{"a": 1, "b": {"c": null}}, ["x"]],
        "script": "set -eu\n  indented\n\necho done\n",
        "lines": "no end\nof line",
    });
    insta::assert_snapshot!(document("What it is.\n\nHow to use it.", &value), @r##"
    # What it is.
    #
    # How to use it.
    name: gamete-worker
    count: 3
    truth: true
    texts:
      - "yes"
      - "3"
      - ""
      - "a: b"
      - "-x"
      - plain
      - "#no"
      - "~"
      - "it's \"so\""
    empty:
      map: {}
      list: []
    list:
      - a: 1
        b:
          c: null
      -
        - x
    script: |
      set -eu
        indented

      echo done
    lines: "no end\nof line"
    "##);
}
