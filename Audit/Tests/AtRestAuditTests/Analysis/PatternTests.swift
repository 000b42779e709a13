import AtRestAudit
import Testing

/// A pattern binds each of its names to a part of a value.
@Suite struct PatternTests {
  /// Returns the severity of what code stores in UserDefaults.
  private func severity(_ code: String) throws -> Severity? {
    try Audit(tree: SourceTree(files: ["A.swift": code])).run().findings.first {
      $0.rule == "userdefaults-sensitive"
    }?.severity
  }

  private func stored(_ value: String) -> String {
    "UserDefaults.standard.set(\(value), forKey: \"x\")"
  }

  @Test(arguments: [
    "let (first, second) = exchange()", "let (first, second): (String, String) = exchange()",
    "let pair = exchange(); let (first, second) = pair",
    "let pair = exchange(); let first = pair.0; let second = pair.1",
    "let (first, second) = (accessToken, theme)",
    "let (first, second) = passed(accessToken, theme)",
    "let first: String, second: String; (first, second) = exchange()",
    "guard let (first, second) = exchange() else { return }",
    "for (first, second) in [(accessToken, theme)] {}",
    "for (second, first) in [accessToken].enumerated() {}",
    "for (first, second) in zip([accessToken], [theme]) {}",
    "for (second, first) in [\"accessToken\": value] {}",
  ])
  func anElementOfATuple(bound: String) throws {
    func code(_ name: String) -> String {
      """
      func exchange() -> (String, String) { return (accessToken, theme) }
      func passed(_ a: String, _ b: String) -> (String, String) { (a, b) }
      func f() { \(bound.hasSuffix("{}") ? bound.dropLast() + stored(name) + " }" : bound + "; " + stored(name)) }
      """
    }
    #expect(try severity(code("first")) == .medium)
    #expect(try severity(code("second")) == nil)
  }

  /// The use of one element is no witness for another.
  @Test func anElementThatIsUsed() throws {
    let code = """
      func exchange() -> (String, String) { let accessToken = load(); return (accessToken, id()) }
      func run(_ request: inout URLRequest) {
        let (accessToken, theme) = exchange()
        request.setValue("Bearer \\(accessToken)", forHTTPHeaderField: "Authorization")
        \(stored("theme"))
      }
      """
    #expect(try severity(code) == nil)
    #expect(try severity(code.replacing("set(theme", with: "set(accessToken")) == .high)
  }

  @Test func theLabelOfAnElement() throws {
    func code(_ name: String) -> String {
      """
      struct Service { func exchange() -> (accessToken: String, theme: String) { load() } }
      func f(_ service: Service) { let (first, second) = service.exchange(); \(stored(name)) }
      """
    }
    #expect(try severity(code("first")) == .medium)
    #expect(try severity(code("second")) == nil)
  }

  /// An enum is a choice, and what its case holds has a type of its own.
  @Test(arguments: [
    "switch action { case .changed(let password): STORE }",
    "switch action { case let .changed(password): STORE }",
    "if case .changed(let password) = action { STORE }",
    "guard case .changed(let password)? = action else { return }; STORE",
  ])
  func whatACaseHolds(match: String) throws {
    func code(_ type: String) -> String {
      "enum Action { case changed(\(type)), other }\nfunc f(action: Action) { "
        + match.replacing("STORE", with: stored("password")) + " }"
    }
    #expect(try severity(code("String")) == .medium)
    #expect(try severity(code("Bool")) == nil)
  }

  @Test func theLabelsOfWhatACaseHolds() throws {
    func code(_ name: String) -> String {
      """
      enum Action { case signedIn(accessToken: String, theme: String) }
      func f(action: Action) { if case .signedIn(let first, let second) = action { \(stored(name)) } }
      """
    }
    #expect(try severity(code("first")) == .medium)
    #expect(try severity(code("second")) == nil)
  }

  /// What a success brings has the type that the result names.
  @Test(arguments: [
    "func f(_ result: Result<User, Error>) throws { switch result { case .success(let all): STORE\ndefault: break } }",
    "enum Action { case done(Result<User, Error>) }\nfunc f(_ action: Action) throws { switch action { case let .done(.success(all)): STORE\ndefault: break } }",
    "enum Answer { case user(User), theme(String) }\nfunc f(_ answer: Answer) throws { if case .user(let all) = answer { STORE } }",
    "enum Answer { case user(String, User) }\nfunc f(_ answer: Answer) throws { if case .user(_, let all) = answer { STORE } }",
  ])
  func aRecordThatACaseHolds(code: String) throws {
    let store = stored("try JSONEncoder().encode(all)")
    func whole(_ property: String) -> String {
      "struct User: Codable { var \(property): String }\n" + code.replacing("STORE", with: store)
    }
    #expect(try severity(whole("password")) == .medium)
    #expect(try severity(whole("theme")) == nil)
    let failure = whole("password").replacing("success", with: "failure")
    if failure != whole("password") { #expect(try severity(failure) == nil) }
  }
}
