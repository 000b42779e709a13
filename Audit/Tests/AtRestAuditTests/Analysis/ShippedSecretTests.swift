import AtRestAudit
import Foundation
import Testing

/// Secrets in the code that everybody may have, or that the app from the store does not use.
@Suite struct ShippedSecretTests {
  private func findings(_ files: [String: String]) throws -> [Finding] {
    try Audit(tree: SourceTree(files: files)).run().findings.filter {
      $0.rule == "hardcoded-credential" || $0.rule == "hardcoded-key"
    }
  }

  private func token(role: String) -> String {
    func part(_ text: String) -> String {
      Data(text.utf8).base64EncodedString().replacing("=", with: "").replacing("+", with: "-")
        .replacing("/", with: "_")
    }
    let claims = part(
      "{\"iss\":\"supabase\",\"ref\":\"qzrkwmvbtd\",\"role\":\"\(role)\",\"exp\":2040000000}")
    return part("{\"alg\":\"HS256\",\"typ\":\"JWT\"}") + "." + claims
      + ".k3Vq8zR1tY6wX0pL5mN2bC7dF4gH9jS1aQ8eU3iO6yT"
  }

  @Test func aTokenOfEverybodyIsANote() throws {
    let code = "let supabaseKey = \"\(token(role: "anon"))\""
    #expect(try findings(["A.swift": code]).map(\.severity) == [.note])
    let list = """
      <plist version="1.0"><dict><key>SUPABASE_KEY</key><string>\(token(role: "anon"))</string></dict></plist>
      """
    #expect(try findings(["Config.plist": list]).map(\.severity) == [.note])
  }

  @Test func aTokenOfTheServiceIsHigh() throws {
    let code = "let supabaseKey = \"\(token(role: "service_role"))\""
    #expect(try findings(["A.swift": code]).contains { $0.severity == .high })
  }

  private let login = """
    enum Flags { static let isTest = CommandLine.arguments.contains("--test") }

    final class Setup {
      func start() async throws {
        if Flags.isTest { Task { try await signIn() } }
      }

      func signIn() async throws {
        let password = "kV9-tR4.zQ2x"
        try await Service.shared.signIn(user: "a", password: password)
      }
    }
    """

  @Test func anAccountOfTestsIsANote() throws {
    #expect(try findings(["A.swift": login]).map(\.severity) == [.note])
    let guarded = login.replacing(
      "if Flags.isTest {", with: "guard Flags.isTest else { return }; do {")
    #expect(try findings(["A.swift": guarded]).map(\.severity) == [.note])
  }

  /// What holds without an argument or a variable holds for everybody.
  @Test(arguments: [
    #"if ProcessInfo.processInfo.environment["XCTest"] == nil {"#,
    #"if CommandLine.arguments.contains("--test") == false {"#,
    "if CommandLine.arguments.count == 1 {",
    #"guard ProcessInfo.processInfo.environment["XCTest"] == nil else { return }; do {"#,
  ])
  func anAccountOfTheAppFromTheStoreIsNot(_ condition: String) throws {
    let code = login.replacing("if Flags.isTest {", with: condition)
    #expect(try findings(["A.swift": code]).contains { $0.severity > .note })
  }

  @Test(arguments: [
    #"if ProcessInfo.processInfo.environment["XCTest"] != nil {"#,
    #"if ProcessInfo.processInfo.environment["MODE"] == "test" {"#,
    #"if CommandLine.arguments.contains("--test") == true {"#,
  ])
  func anAccountBehindAVariableIsANote(_ condition: String) throws {
    let code = login.replacing("if Flags.isTest {", with: condition)
    #expect(try findings(["A.swift": code]).map(\.severity) == [.note])
  }

  @Test func anAccountThatAnyoneReachesIsNot() throws {
    let open = login.replacing("if Flags.isTest {", with: "if !Flags.isTest {")
    #expect(try findings(["A.swift": open]).allSatisfy { $0.severity > .note })
    let also = login + "\nfunc again(_ setup: Setup) async throws { try await setup.signIn() }"
    #expect(try findings(["A.swift": also]).allSatisfy { $0.severity > .note })
  }
}
