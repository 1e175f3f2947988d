//! The description of the API is kept beside the code, so that whoever changes one sees the other.

/// Refreshed by `GAMETE_BLESS=1 cargo test -p gamete-web openapi`.
#[test]
fn the_description_of_the_api_is_fresh() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json");
    let now = web::document().to_pretty_json().unwrap() + "\n";
    if std::env::var_os("GAMETE_BLESS").is_some() {
        std::fs::write(path, &now).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        kept == now,
        "the API has changed; 'GAMETE_BLESS=1 cargo test -p gamete-web openapi' writes crates/web/openapi.json anew, then 'npm run types' in crates/web/ui"
    );
}

#[test]
fn the_server_tells_its_own_description() {
    let house = crate::house::House::open();
    let told = house.get("/api/openapi.json").ok();
    let own = serde_json::to_value(web::document()).unwrap();
    assert_eq!(told, own);
    for (path, _) in own["paths"].as_object().unwrap() {
        assert!(path.starts_with("/api/") || path == "/metrics", "{path}");
    }
}

/// Schemas are collected by the names of their types: of two with one name, one would describe both.
#[test]
fn no_two_schemas_have_the_same_name() {
    let crates = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let mut names = Vec::new();
    for name in ["web", "report", "lab", "play", "games"] {
        collect(
            &std::path::Path::new(crates).join(name).join("src"),
            &mut names,
        );
    }
    assert!(names.len() > 50, "{names:?}");
    names.sort();
    let twice = names.windows(2).find(|pair| pair[0] == pair[1]);
    assert_eq!(twice, None);
}

/// Adds the names of all types in a directory that derive a schema.
fn collect(directory: &std::path::Path, names: &mut Vec<String>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, names);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            for part in text.split("ToSchema)").skip(1) {
                let declared = part.split_once("struct ").into_iter();
                let declared = declared.chain(part.split_once("enum "));
                // What comes first was derived.
                let first = declared.min_by_key(|(before, _)| before.len());
                let name = first.and_then(|(_, rest)| rest.split([' ', '(', '<', '{', ';']).next());
                names.extend(name.map(str::to_owned));
            }
        }
    }
}
