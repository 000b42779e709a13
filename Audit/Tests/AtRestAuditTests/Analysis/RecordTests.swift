import AtRestAudit
import Testing

/// Records that are stored as a whole, and what is made from them.
@Suite struct RecordTests {
  private func findings(_ code: String) throws -> [Finding] {
    try Audit(tree: SourceTree(files: ["A.swift": code])).run().findings.filter {
      $0.rule == "userdefaults-sensitive"
    }
  }

  private func finding(storing type: String) throws -> Finding? {
    try findings(
      """
      \(type)
      func keep(_ value: Value) {
        UserDefaults.standard.set(try? JSONEncoder().encode(value), forKey: "a")
      }
      """.replacing("Value", with: type.split(separator: " ")[1].filter { $0 != ":" })
    ).first
  }

  @Test(arguments: [
    "struct UserProfile: Codable { let email: String; let phone: String }",
    "struct Account: Codable { var firstName: String?; var email: String? }",
    "struct Patient: Codable { let diagnosis: String; let birthDate: Date }",
    "struct Me: Codable { let emails: [String]; let homeAddress: String }",
  ])
  func aPersonIsLow(_ type: String) throws {
    let found = try #require(try finding(storing: type))
    #expect(found.severity == .low)
    #expect(found.basis?.tier == .named)
  }

  @Test(arguments: [
    // One meaning.
    "struct User: Codable { let email: String; let emailAddress: String }",
    // No person.
    "struct Office: Codable { let email: String; let phone: String }",
    "struct CompanyProfile: Codable { let email: String; let phone: String }",
    // No text.
    "struct UserSettings: Codable { let email: Bool; let phone: Bool }",
    // A list of places, of which each has an author.
    "struct Places: Codable { let all: [Place] }\nstruct Place: Codable { let author: User }\nstruct User: Codable { let email: String; let phone: String }",
    // Nothing of it is stored.
    "struct User: Codable { static let email = \"\"; var phone: String { \"\" } }",
  ])
  func anotherRecordIsNot(_ type: String) throws {
    #expect(try finding(storing: type) == nil)
  }

  /// Somebody's health, and messages between people.
  @Test(arguments: [
    "struct Reading: Codable { let heartRate: Double; let bloodPressure: String; let at: Date }",
    "struct Diary: Codable { let days: [Day] }\nstruct Day: Codable { let date: Date; let symptoms: [String]; let medication: String }",
    "struct ChatMessage: Codable { let text: String; let sender: String }",
    "struct Page: Codable { let all: [Message] }\nstruct Message: Codable { let body: String; let conversationID: String }",
  ])
  func whatIsAboutSomebodyIsLow(_ type: String) throws {
    let found = try #require(try finding(storing: type))
    #expect(found.severity == .low)
    #expect(found.basis?.tier == .named)
  }

  /// In code that reads the health of a person from the system, the name of the type is enough.
  @Test func aRecordBesideASensorIsMedium() throws {
    let type = "struct HealthEvent: Codable { let metric: String; let peak: Double; let at: Date }"
    #expect(try finding(storing: type + "\nimport HealthKit")?.severity == .medium)
    #expect(try finding(storing: type) == nil)
  }

  @Test(arguments: [
    // A catalogue.
    "struct Disease: Codable { let symptoms: String; let diagnosis: String }",
    // What is shown.
    "struct Chart: Codable { let heartRate: Bool; let bloodPressure: Bool; let at: Date }",
    // No health of a person.
    "struct HealthEvent: Codable { let server: String; let load: Double; let at: Date }",
    "struct ErrorMessage: Codable { let text: String; let code: String }",
    "struct Message: Codable { let title: String; let sender: String }",
  ])
  func whatIsAboutNobodyIsNot(_ type: String) throws {
    #expect(try finding(storing: type) == nil)
  }

  @Test func whatATypeDoesNotEncodeDoesNotCount() throws {
    let type = """
      struct User : Codable { let email: String; let phone: String
        enum CodingKeys: String, CodingKey { case email } }
      """
    #expect(try finding(storing: type) == nil)
  }

  @Test func aSecretWithinAPersonIsTheFinding() throws {
    let found = try finding(
      storing: "struct User: Codable { let email: String; let phone: String; let password: String }"
    )
    #expect(found?.message.contains("User.password") == true)
  }

  @Test func theTrailNamesTheFunctionThatEncodes() throws {
    let found = try findings(
      """
      struct Login: Codable { let password: String }
      func encoded(_ login: Login) -> Data { try! JSONEncoder().encode(login) }
      func keep(_ login: Login) { UserDefaults.standard.set(encoded(login), forKey: "a") }
      """)
    #expect(found.first?.trail.map(\.message) == ["is returned by encoded"])
    #expect(found.first?.trail.map(\.location.start.line) == [2])
  }

  @Test func cookiesThatGoFromOneStoreToAnotherAreNoFinding() throws {
    let code = """
      func share(_ store: WKHTTPCookieStore) {
        for cookie in HTTPCookieStorage.shared.cookies ?? [] { store.setCookie(cookie) }
      }
      """
    let found = try Audit(tree: SourceTree(files: ["A.swift": code])).run().findings
    #expect(found.filter { $0.rule == "cookies" }.isEmpty)
  }
}
