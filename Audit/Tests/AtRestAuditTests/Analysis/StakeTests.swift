import AtRestAudit
import Testing

/// The severity of what opens little is low.
@Suite struct StakeTests {
  private func severity(_ code: String, _ rule: RuleID) throws -> Severity? {
    try Audit(tree: SourceTree(files: ["A.swift": code])).run().findings.first { $0.rule == rule }?
      .severity
  }

  @Test func aFileThatIsTheSameForEverybodyMayBeCached() throws {
    func code(_ header: String) -> String {
      """
      final class Sounds {
        func load(_ url: URL) -> URLRequest {
          var request = URLRequest(url: url, cachePolicy: .returnCacheDataElseLoad)
          \(header)
          return request
        }
      }
      """
    }
    #expect(try severity(code(""), "urlcache") == .low)
    let header = "request.setValue(token, forHTTPHeaderField: \"Authorization\")"
    #expect(try severity(code(header), "urlcache") == .medium)
  }

  /// Answers to other methods than GET are not cached.
  @Test func answersToAPostAreNotCached() throws {
    func code(_ method: String) -> String {
      """
      func send(_ request: NSMutableURLRequest, token: String) {
        request.HTTPMethod = "\(method)"
        request.setValue(token, forHTTPHeaderField: "Authorization")
        let session = URLSession(configuration: URLSessionConfiguration.default)
        session.dataTask(with: request).resume()
      }
      """
    }
    #expect(try severity(code("POST"), "urlcache") == nil)
    #expect(try severity(code("GET"), "urlcache") == .medium)
  }

  @Test func aCodeOfAMomentInAURLIsLow() throws {
    func code(_ name: String) -> String {
      """
      func f(x: String) {
        var address = URLComponents(string: "https://example.org/check")!
        address.queryItems = [URLQueryItem(name: "\(name)", value: x)]
        load(address.url!)
      }
      """
    }
    #expect(try severity(code("verification_code"), "sensitive-in-url") == .low)
    #expect(try severity(code("password"), "sensitive-in-url") == .medium)
  }

  @Test func whatANotificationDoesNotShowIsLow() throws {
    func code(_ line: String) -> String {
      """
      func invite(password: String) -> URLCredential {
        let content = UNMutableNotificationContent()
        \(line)
        return URLCredential(user: "u", password: password, persistence: .none)
      }
      """
    }
    let hidden = "content.userInfo = [\"room\": password]"
    #expect(try severity(code(hidden), "notification-sensitive") == .low)
    #expect(try severity(code("content.body = password"), "notification-sensitive") == .medium)
  }

  /// Code that nothing calls stores nothing.
  @Test func aSetterThatNothingCallsIsLow() throws {
    func code(_ use: String) -> String {
      """
      enum Defaults {
        static var gitPassword: String? {
          get { nil }
          set { UserDefaults.standard.set(newValue, forKey: "git password") }
        }
      }
      func login(password: String) { \(use) }
      func open(gitPassword: String) -> URLCredential {
        URLCredential(user: "u", password: gitPassword, persistence: .none)
      }
      """
    }
    #expect(try severity(code("show()"), "userdefaults-sensitive") == .low)
    #expect(
      try severity(code("Defaults.gitPassword = password"), "userdefaults-sensitive") == .high)
  }

  /// A constant that is called a salt belongs to what is derived beside it.
  @Test func aSaltOfNothingIsLow() throws {
    func code(_ call: String) -> String {
      "enum Gift {\n  static let salt = \"gift-salt-one\"\n  static func make(_ x: String, seed: Data) { \(call) }\n}"
    }
    #expect(try severity(code("show(x)"), "static-salt") == .low)
    #expect(try severity(code("scrypt(password: seed, salt: salt)"), "static-salt") == .low)
    #expect(try severity(code("scrypt(password: x, salt: salt)"), "static-salt") == .medium)
  }
}
