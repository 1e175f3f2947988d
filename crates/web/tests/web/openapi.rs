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
