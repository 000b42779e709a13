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

  /// A hash needs no salt, unless it is one of a password.
  @Test func aSaltOfAHashIsLow() throws {
    func code(_ value: String) -> String {
      "enum Report {\n  static let salt = \"report-salt-one\"\n  static func make(_ device: String, password: String) { sha256(\(value)) }\n}"
    }
    #expect(try severity(code("device"), "static-salt") == .low)
    #expect(try severity(code("password"), "static-salt") == .medium)
  }

  /// A signed object that names nobody and no time is a document, and lets nobody in.
  @Test func aSignedDocumentIsLow() throws {
    // {"alg":"ES256"}, {"id":"4WT59M5Y","place":"Library"} and {"sub":"anna","exp":1893456000}
    func code(_ body: String) -> String {
      "func open() { use(\"eyJhbGciOiJFUzI1NiJ9.\(body).c2lnbmF0dXJlLW9mLXRoZS1vYmplY3Q\") }"
    }
    let document = "eyJpZCI6IjRXVDU5TTVZIiwicGxhY2UiOiJMaWJyYXJ5In0"
    let session = "eyJzdWIiOiJhbm5hIiwiZXhwIjoxODkzNDU2MDAwfQ"
    #expect(try severity(code(document), "hardcoded-credential") == .low)
    #expect(try severity(code(session), "hardcoded-credential") == .high)
  }

  /// A place on a map is not where the person is.
  @Test func aPlaceOnAMapIsLow() throws {
    func code(_ manager: String) -> String {
      """
      import CoreLocation
      final class Map {
        \(manager)
        func keep(homeLocation: CLLocationCoordinate2D) {
          UserDefaults.standard.set(homeLocation.latitude, forKey: "y")
        }
      }
      """
    }
    #expect(try severity(code(""), "userdefaults-sensitive") != .medium)
    let manager = "let manager = CLLocationManager()"
    #expect(try severity(code(manager), "userdefaults-sensitive") == .medium)
  }

  private func severity(_ files: [String: String], _ rule: RuleID) throws -> Severity? {
    try Audit(tree: SourceTree(files: files)).run().findings.first { $0.rule == rule }?.severity
  }

  /// The name of an attribute does not show that the value is not encrypted.
  @Test func anAttributeWithoutAValueIsLow() throws {
    let model = """
      <?xml version="1.0" encoding="UTF-8"?>
      <model type="com.apple.IDECoreDataModeler.DataModel">
        <entity name="Account" representedClassName="Account">
          <attribute name="password" attributeType="String"/>
        </entity>
      </model>
      """
    func severity(_ code: String) throws -> Severity? {
      let files = ["A.xcdatamodeld/A.xcdatamodel/contents": model, "A.swift": code]
      return try self.severity(files, "core-data-sensitive-attribute")
    }
    #expect(try severity("func f(account: Account) { show(account) }") == .low)
    #expect(try severity("func f(account: Account, x: String) { account.password = x }") == .medium)
    let sealed = "func f(account: Account, x: String) { account.password = encrypt(x) }"
    #expect(try severity(sealed) == nil)
  }

  /// People copy a template and fill in their own values.
  @Test func aTemplateIsLow() throws {
    let text = "SSO_SECRET = 155bdf4d4f847e77aec11624ab9c17b4"
    #expect(try severity(["Secrets.xcconfig": text], "hardcoded-credential") == .high)
    #expect(try severity(["Secrets.template.xcconfig": text], "hardcoded-credential") == .low)
    #expect(try severity(["SecretsTemplate.xcconfig": text], "hardcoded-credential") == .low)
  }

  /// A television has no keyboard that learns, and is not held by anybody, and a Mac keeps no pictures.
  @Test func aFieldOnOtherMachinesIsLessSevere() throws {
    func severity(_ platform: String) throws -> Severity? {
      let project = """
        // !$*UTF8*$!
        { objects = {
          A = { isa = PBXProject; targets = (T,); mainGroup = G; };
          G = { isa = PBXGroup; children = (F,); sourceTree = "<group>"; };
          F = { isa = PBXFileReference; path = Login.swift; sourceTree = "<group>"; };
          B = { isa = PBXBuildFile; fileRef = F; };
          S = { isa = PBXSourcesBuildPhase; files = (B,); };
          C = { isa = XCBuildConfiguration; name = Release; buildSettings = { SDKROOT = \(platform); }; };
          L = { isa = XCConfigurationList; buildConfigurations = (C,); };
          T = { isa = PBXNativeTarget; name = App; productType = "com.apple.product-type.application"; buildPhases = (S,); buildConfigurationList = L; };
        }; rootObject = A; }
        """
      let code =
        "struct Login: View { var body: some View { TextField(\"Password\", text: $password) } }"
      let files = ["App.xcodeproj/project.pbxproj": project, "Login.swift": code]
      return try self.severity(files, "secure-text-entry-missing")
    }
    #expect(try severity("iphoneos") == .medium)
    #expect(try severity("appletvos") == .note)
    #expect(try severity("macosx") == .low)
  }

  /// The loader makes a header of a login in an address.
  @Test func aLoginInAnAddressIsLow() throws {
    func code(_ scheme: String) -> String {
      """
      func address(user: String, password: String, host: String) -> String {
        "\(scheme)://\\(user):\\(password)@\\(host)/live"
      }
      """
    }
    #expect(try severity(code("https"), "sensitive-in-url") == .low)
    #expect(try severity(code("rtsp"), "sensitive-in-url") == .medium)
    #expect(try severity(code("wallet-pair"), "sensitive-in-url") == nil)
  }

  /// The parameters of one URL are one thing to mend.
  @Test func theParametersOfAURLAreOneFinding() throws {
    let code = """
      func refresh(refreshToken: String, sessionToken: String) -> URL? {
        var parts = URLComponents(string: "https://example.org/token")!
        parts.queryItems = [
          URLQueryItem(name: "refresh_token", value: refreshToken),
          URLQueryItem(name: "session_token", value: sessionToken),
        ]
        return parts.url
      }
      """
    let found = try Audit(tree: SourceTree(files: ["A.swift": code])).run().findings.filter {
      $0.rule == "sensitive-in-url"
    }
    #expect(found.map(\.places.count) == [1])
  }
}
