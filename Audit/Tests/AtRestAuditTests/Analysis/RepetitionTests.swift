import AtRestAudit
import Testing

/// What is mended together is one finding.
@Suite struct RepetitionTests {
  private func findings(_ files: [String: String], _ rule: RuleID) throws -> [Finding] {
    try Audit(tree: SourceTree(files: files)).run().findings.filter { $0.rule == rule }
  }

  @Test func aParameterOfManyURLs() throws {
    func call(_ name: String) -> String {
      "func \(name)(x: String) -> URL? { URL(string: \"https://a.org/\(name)?access_token=\\(x)\") }"
    }
    let found = try findings(
      ["A.swift": call("read"), "B.swift": call("write"), "C.swift": call("list")],
      "sensitive-in-url")
    #expect(found.map(\.places.count) == [2])
  }

  @Test func aPreferenceThatIsWrittenInManyPlaces() throws {
    func code(_ name: String) -> String {
      """
      class \(name) {
        func finish(_ response: HTTPURLResponse) {
          if let jwtToken = response.allHeaderFields["Authorization"] as? String {
            UserDefaults.standard.set(jwtToken, forKey: DefaultsKeys.keyToken)
          }
        }
      }
      """
    }
    let keys = """
      struct DefaultsKeys { static let keyToken = "keyToken" }
      func register(_ request: inout URLRequest) {
        if let token = Messaging.messaging().fcmToken {
          request.setValue(token, forHTTPHeaderField: "X-Firebase-Token")
        }
      }
      """
    let found = try findings(
      ["A.swift": code("Login"), "B.swift": code("Renewal"), "C.swift": keys],
      "userdefaults-sensitive")
    #expect(found.map(\.places.count) == [1])
    #expect(found.map(\.severity) == [.high])
  }

  @Test func aCipherThatEncryptsAndDecrypts() throws {
    func call(_ operation: String) -> String {
      "CCCrypt(\(operation), kCCAlgorithmAES, kCCOptionECBMode, key, 32, NULL, in, 16, out, 32, &n);"
    }
    let code =
      "void f(char *key) { \(call("kCCEncrypt")) }\nvoid g(char *key) { \(call("kCCDecrypt")) }"
    #expect(try findings(["A.m": code], "ecb-mode").map(\.places.count) == [1])
  }

  @Test func aSecretThatIsWrittenTwice() throws {
    let code = "let password = \"Zq8#nPw2LxV5tY7u\""
    let found = try findings(["A.swift": code, "B.swift": code], "hardcoded-credential")
    #expect(found.map(\.places.count) == [1])
    let other = "let password = \"Kd4!vBs9QmT3rJ6e\""
    #expect(
      try findings(["A.swift": code, "B.swift": other], "hardcoded-credential").count == 2)
  }

  @Test func aPasswordThatIsAKey() throws {
    let code = """
      import CryptoKit
      func seal(_ data: Data, password: String) throws -> Data? {
        let key = SymmetricKey(data: Data(password.utf8))
        return try ChaChaPoly.seal(data, using: key).combined
      }
      """
    #expect(try findings(["A.swift": code], "password-as-key").count == 1)
    #expect(try findings(["A.swift": code], "predictable-key").isEmpty)
  }

  @Test func theRecordOfAPerson() throws {
    let code = """
      import SwiftData
      @Model final class Student {
        var bloodType: String
        var allergies: String
        var medicalConditions: String
        init() {}
      }
      """
    #expect(try findings(["A.swift": code], "swiftdata-unprotected").count == 1)
  }
}
