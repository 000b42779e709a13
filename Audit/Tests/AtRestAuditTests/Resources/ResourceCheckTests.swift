import AtRestAudit
import AtRestAuditResources
import Foundation
import Testing

@Suite struct ResourceCheckTests {
  private func rules(_ path: String, _ text: String) -> [String] {
    ResourceSamples.rules([path: text])
  }

  private func plist(_ key: String, _ value: String) -> String {
    ResourceSamples.plist("<key>\(key)</key>\n<string>\(value)</string>")
  }

  // MARK: hardcoded-credential, hardcoded-key

  @Test(arguments: [
    ("Password", "Secret@123", "hardcoded-credential"),
    ("db_password", "hotey", "hardcoded-credential"),
    ("ApiSecret", "9f86d081884c7d659a2f", "hardcoded-credential"),
    ("EncryptionKey", "mZ3vT9qLx81kAa0P", "hardcoded-key"),
    ("Anything", "AKIAIOSFODNN7ABCDEFG", "hardcoded-credential"),
    (
      "Pem",
      "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIAABAgMEBQYHCAkKCwwN\n-----END PRIVATE KEY-----",
      "hardcoded-key"
    ),
  ])
  func `A secret in a property list is found`(_ key: String, _ value: String, _ rule: String) {
    #expect(rules("App/Config.plist", plist(key, value)) == [rule])
  }

  @Test(arguments: [
    ("Password", ""), ("Password", "$(PASSWORD)"), ("Password", "YOUR_PASSWORD"),
    ("Password", "xxxxxxxx"), ("Password", "https://example.org/a1b2"),
    ("Password", "userPassword"),
    ("Password", "Passwort"), ("Password", "Enter your password, please"), ("token", "session"),
    ("ApiKey", "API_KEY"), ("StripeKey", "pk_live_a1b2c3d4e5f6a7b8c9d0"),
    ("PasswordLength", "12ab34cd"),
    ("Title", "a1b2c3d4e5f6"),
  ])
  func `What only looks like a secret is none`(_ key: String, _ value: String) {
    #expect(rules("App/Config.plist", plist(key, value)).isEmpty)
  }

  @Test func `A secret is where its key and value stand`() {
    let resources = ResourceSamples.resources(["A.plist": plist("Password", "Secret@123")])
    let location = ResourceChecks().findings(in: resources).first?.location
    #expect(location?.start.line == 5)
    #expect(location?.end.line == 6)
  }

  @Test(arguments: [
    ("a.strings", #""password" = "Passwort";"#, 0),
    ("a.strings", #""api_key" = "a1b2c3d4e5f6a7b8";"#, 1),
    ("a.json", #"{"login": {"password": "Wachtwoord"}}"#, 0),
    ("a.json", #"{"login": {"password": "s3cret!pass"}}"#, 1),
    ("a.json", #"{"tokens": [{"access_token": "a1b2c3d4e5f6a7b8"}]}"#, 1),
    ("App.xcconfig", "API_SECRET = a1b2c3d4e5f6a7b8", 1),
    ("App.xcconfig", "API_SECRET = $(SECRET)", 0),
    ("App.xcconfig", "CODE_SIGN_IDENTITY = iPhone Developer", 0),
    ("Tests/a.json", #"{"password": "s3cret!pass"}"#, 0),
    ("StubbedResponses/a.json", #"{"password": "s3cret!pass"}"#, 0),
    (
      "GoogleService-Info.plist",
      #"{GOOGLE_APP_ID = "1:2:ios:3"; API_KEY = "AIzaSyA1b2C3d4E5f6";}"#, 0
    ),
  ])
  func `Texts of other kinds are judged more strictly`(_ path: String, _ text: String, _ count: Int)
  {
    #expect(rules(path, text).count == count)
  }

  @Test func `JSON that does not ship is none`() {
    let secret = #"{"password": "s3cret!pass"}"#
    let files = ["App.xcodeproj/project.pbxproj": ResourceSamples.project]
    #expect(ResourceSamples.rules(files.merging(["server/a.json": secret]) { $1 }).isEmpty)
    #expect(ResourceSamples.rules(files.merging(["App/Keys/a.json": secret]) { $1 }).count == 1)
  }

  // MARK: bundled-key-file

  private static let pem = "-----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----\n"

  @Test(arguments: [
    ("App/Keys/client.pem", pem), ("App/client.key", "Bag Attributes\n" + pem),
    ("App/id_rsa", "-----BEGIN OPENSSH PRIVATE KEY-----\n"),
    ("App/Keys/client.pem", "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"),
  ])
  func `A private key among what ships is found`(_ path: String, _ text: String) {
    let files = ["App.xcodeproj/project.pbxproj": ResourceSamples.project, path: text]
    #expect(ResourceSamples.rules(files) == ["bundled-key-file"])
  }

  @Test func `Keys in binary files are told by their structure`() {
    let bodies: [(String, [UInt8], KeyFile.Content?)] = [
      ("a.der", [0x30, 0x0A, 2, 1, 0, 0x30, 2, 5, 0, 4, 1, 7], .privateKey),
      ("a.der", [0x30, 0x06, 2, 1, 0, 2, 1, 7], .privateKey),
      ("a.der", [0x30, 0x07, 0x30, 2, 5, 0, 4, 1, 7], .protectedKey),
      ("a.p12", [0x30, 0x07, 2, 1, 3, 0x30, 2, 5, 0], .keyStore),
      ("a.jks", [0xFE, 0xED, 0xFE, 0xED, 0, 0, 0, 2], .keyStore),
      ("a.der", [0x30, 0x08, 0x30, 2, 5, 0, 3, 2, 0, 7], nil),
      ("a.der", [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF, 0x30, 2, 5, 0], nil),
      ("a.key", [1, 2, 3], nil),
    ]
    for (path, bytes, content) in bodies {
      #expect(KeyFile.read(Data(bytes), path: path).content == content, "\(bytes)")
    }
  }

  @Test(arguments: [
    ("App/Keys/server.pem", "-----BEGIN CERTIFICATE-----\nMII\n"),
    ("App/Keys/server.key", "-----BEGIN PUBLIC KEY-----\nMII\n"), ("server/tls/server.key", pem),
  ])
  func `A certificate, a public key and a server's key are none`(_ path: String, _ text: String) {
    let files = ["App.xcodeproj/project.pbxproj": ResourceSamples.project, path: text]
    #expect(ResourceSamples.rules(files).isEmpty)
  }

  // MARK: core-data-sensitive-attribute

  @Test(arguments: [
    (#"<attribute name="password" attributeType="String"/>"#, 1),
    (#"<attribute name="accessToken" attributeType="String"/>"#, 1),
    (#"<attribute name="privateKey" attributeType="Binary"/>"#, 1),
    (
      #"<attribute name="creditCardNumber" attributeType="Transformable" valueTransformerName="A"/>"#,
      1
    ),
    (
      #"<attribute name="pin" attributeType="Transformable" valueTransformerName="Encrypting"/>"#, 0
    ),
    (#"<attribute name="hasPassword" attributeType="Boolean"/>"#, 0),
    (#"<attribute name="encryptedPassword" attributeType="Binary"/>"#, 0),
    (#"<attribute name="title" attributeType="String"/>"#, 0),
  ])
  func `An attribute for a secret is found`(_ attribute: String, _ count: Int) {
    let path = "App/A.xcdatamodeld/A.xcdatamodel/contents"
    #expect(rules(path, ResourceSamples.model(attribute)).count == count)
  }

  @Test func `Of the versions of a model the last is judged`() {
    let bad = ResourceSamples.model(#"<attribute name="password" attributeType="String"/>"#)
    let files = [
      "A.xcdatamodeld/A 2.xcdatamodel/contents": bad, "A.xcdatamodeld/A.xcdatamodel/contents": bad,
      "A.xcdatamodeld/A 10.xcdatamodel/contents": ResourceSamples.model(""),
    ]
    #expect(ResourceSamples.rules(files).isEmpty)
  }

  // MARK: Settings

  @Test(arguments: [
    ("document-sharing", "<key>UIFileSharingEnabled</key><true/>"),
    ("document-sharing", "<key>UIFileSharingEnabled</key><string>YES</string>"),
    ("custom-keyboards", keyboard("com.apple.keyboard-service", "<true/>")),
    ("custom-keyboards", keyboard("com.apple.keyboard-service", "<integer>1</integer>")),
    ("custom-keyboards", keyboard("com.apple.keyboard-service", "<string>YES</string>")),
    ("ipc-inventory", urls("bank")), ("ipc-inventory", urls("fb123")),
    (
      "ipc-inventory",
      "<key>CFBundleDocumentTypes</key><array><dict><key>a</key><string>b</string></dict></array>"
    ),
  ])
  func `A setting of an Info.plist that opens the app is found`(_ rule: String, _ entries: String) {
    #expect(rules("App/Info.plist", ResourceSamples.plist(entries)) == [rule])
  }

  @Test(arguments: [
    "<key>UIFileSharingEnabled</key><false/>", "<key>CFBundleURLTypes</key><array/>",
    "<key>LSSupportsOpeningDocumentsInPlace</key><true/>", "<key>UIFileSharing</key><true/>",
    keyboard("com.apple.keyboard-service", "<false/>"),
    keyboard("com.apple.share-services", "<true/>"),
    "<key>NSExtension</key><dict/>", "<key>CFBundleDocumentTypes</key><array/>",
    "<key>UTExportedTypeDeclarations</key><array><dict><key>a</key><string>b</string></dict></array>",
    "<key>CFBundleURLName</key><string>a</string>",
  ])
  func `A setting that opens nothing is none`(_ entries: String) {
    #expect(rules("App/Info.plist", ResourceSamples.plist(entries)).isEmpty)
  }

  private static func keyboard(_ point: String, _ access: String) -> String {
    """
    <key>NSExtension</key><dict><key>NSExtensionPointIdentifier</key><string>\(point)</string>
    <key>NSExtensionAttributes</key><dict><key>RequestsOpenAccess</key>\(access)</dict></dict>
    """
  }

  private static func urls(_ scheme: String) -> String {
    """
    <key>CFBundleURLTypes</key><array><dict><key>CFBundleURLSchemes</key>
    <array><string>\(scheme)</string></array></dict></array>
    """
  }

  @Test(arguments: [
    ("no-file-protection", "com.apple.developer.default-data-protection", "NSFileProtectionNone"),
    ("shared-container", "com.apple.security.application-groups", "group.a"),
    ("", "com.apple.developer.default-data-protection", "NSFileProtectionComplete"),
    ("", "com.apple.developer.default-data-protection", "NSFileProtectionCompleteUnlessOpen"),
    ("", "com.apple.developer.team-identifier", "NSFileProtectionNone"),
    ("", "aps-environment", "group.a"),
  ])
  func `Entitlements that lay files open are found`(_ rule: String, _ key: String, _ value: String)
  {
    #expect(rules("App/App.entitlements", plist(key, value)) == (rule.isEmpty ? [] : [rule]))
  }

  @Test(arguments: [
    (
      #"{"com.apple.developer.default-data-protection" = NSFileProtectionNone;}"#,
      ["no-file-protection"]
    ),
    (
      #"{"com.apple.developer.default-data-protection": "NSFileProtectionNone"}"#,
      ["no-file-protection"]
    ),
    (#"{"com.apple.security.application-groups" = ("group.a", "group.b");}"#, ["shared-container"]),
    (#"{"com.apple.security.application-groups": ["$(GROUP)"]}"#, ["shared-container"]),
    (#"{"com.apple.security.application-groups" = ();}"#, []), ("{}", []),
    (#"{"com.apple.security.app-sandbox" = YES;}"#, []),
  ])
  func `Entitlements are judged in every encoding`(_ text: String, _ expected: [String]) {
    #expect(rules("App/App.entitlements", text) == expected)
  }

  @Test(arguments: [
    ("login_password", "<key>IsSecure</key><true/>", ["userdefaults-sensitive"]),
    ("api_token", "", ["userdefaults-sensitive", "secure-text-entry-missing"]),
    (
      "pin", "<key>IsSecure</key><true/><key>DefaultValue</key><string>4711</string>",
      ["userdefaults-sensitive", "hardcoded-credential"]
    ), ("server", "<key>DefaultValue</key><string>4711</string>", []),
    ("show_password", "", []), ("password_hint", "", []),
  ])
  func `A field of a settings bundle for a secret is found`(
    _ key: String, _ more: String, _ expected: [String]
  ) {
    let text = ResourceSamples.plist(
      """
      <key>PreferenceSpecifiers</key><array><dict>
      <key>Type</key><string>PSTextFieldSpecifier</string>
      <key>Key</key><string>\(key)</string>\(more)</dict></array>
      """)
    #expect(rules("App/Settings.bundle/Root.plist", text) == expected)
  }

  @Test func `Domains that follow persons are found one by one`() {
    let domains =
      "<key>NSPrivacyTrackingDomains</key><array><string>a.com</string><string>b.com</string></array>"
    let path = "App/PrivacyInfo.xcprivacy"
    #expect(rules(path, ResourceSamples.plist(domains)) == ["tracking-domain", "tracking-domain"])
    #expect(rules(path, #"{NSPrivacyTrackingDomains = ("a.com");}"#) == ["tracking-domain"])
    #expect(rules(path, #"{"NSPrivacyTrackingDomains": ["a.com"]}"#) == ["tracking-domain"])
    #expect(rules(path, plist("NSPrivacyTrackingDomains", "c.com")).isEmpty)
    #expect(rules(path, ResourceSamples.plist("<key>NSPrivacyTracking</key><false/>")).isEmpty)
    #expect(rules("App/Info.plist", ResourceSamples.plist(domains)).isEmpty)
  }

  // MARK: Manifests and code

  private static let place = Location(
    path: "A.swift", start: Position(line: 3, column: 1), end: Position(line: 3, column: 9))

  private func manifest(_ category: RequiredReason, reasons: String = "<string>CA92.1</string>")
    -> String
  {
    ResourceSamples.plist(
      """
      <key>NSPrivacyAccessedAPITypes</key><array><dict>
      <key>NSPrivacyAccessedAPIType</key><string>\(category.rawValue)</string>
      <key>NSPrivacyAccessedAPITypeReasons</key><array>\(reasons)</array></dict></array>
      """)
  }

  @Test func `A use for which the manifest gives no reason is found`() {
    let use = CodeUse(categories: [.userDefaults: [Self.place]])
    let path = "App/PrivacyInfo.xcprivacy"
    for (files, count) in [
      ([path: manifest(.diskSpace)], 1), ([path: manifest(.userDefaults, reasons: "")], 1),
      (["App.xcodeproj/project.pbxproj": ResourceSamples.project], 1),
      ([path: manifest(.userDefaults)], 0), ([:], 0),
    ] {
      let found = ResourceChecks().privacyFindings(in: ResourceSamples.resources(files), use: use)
      #expect(found.map(\.rule) == Array(repeating: "privacy-manifest", count: count))
      // If the manifest names the category without a reason, the finding points to the manifest.
      // Otherwise it points to the use.
      let isNamed = files[path]?.contains("UserDefaults") == true
      #expect(found.allSatisfy { isNamed ? $0.location.path == path : $0.location == Self.place })
    }
    let unused = ResourceSamples.resources([path: manifest(.diskSpace)])
    #expect(ResourceChecks().privacyFindings(in: unused, use: CodeUse()).isEmpty)
  }

  @Test func `What code uses is gathered with its places`() {
    let defaults = Expression(
      .member(Expression(.name("UserDefaults"), 4..<16), "standard"), 4..<25)
    let call = Expression(
      .call(
        Expression(.member(defaults, "set"), 4..<29),
        [Argument("forKey", Expression(.string([.text("a")]), 30..<33))]), 4..<34)
    let source = SourceFile(
      path: "A.swift", language: .swift, imports: ["UIKit", "HealthKit/HealthKit.h"],
      statements: Block([.returns(call)]), lines: LineTable(Array("let\n".utf8)))
    let use = Analysis([Analysis.File(source)]).use
    #expect(use.modules == ["UIKit", "HealthKit"])
    #expect(use.names == ["UserDefaults", "set", "forKey"])
    #expect(use.categories[.userDefaults]?.map(\.start) == [Position(line: 2, column: 1)])
    #expect(use.categories.count == 1)
  }

  @Test(arguments: [
    ("com.apple.developer.healthkit", "<true/>", CodeUse(), 1),
    ("com.apple.developer.homekit", "<true/>", CodeUse(modules: ["UIKit"]), 1),
    ("aps-environment", "<string>development</string>", CodeUse(names: ["print"]), 1),
    ("com.apple.developer.healthkit", "<true/>", CodeUse(modules: ["HealthKit"]), 0),
    (
      "aps-environment", "<string>development</string>",
      CodeUse(names: ["registerForRemoteNotifications"]),
      0
    ),
    ("com.apple.security.application-groups", "<array/>", CodeUse(), 0),
    ("com.apple.developer.associated-domains", "<array><string>a</string></array>", CodeUse(), 0),
  ])
  func `An entitlement of which code makes no use is found`(
    _ key: String, _ value: String, _ use: CodeUse, _ count: Int
  ) {
    let resources = ResourceSamples.resources([
      "App/App.entitlements": ResourceSamples.plist("<key>\(key)</key>\(value)")
    ])
    let found = ResourceChecks().entitlementFindings(in: resources, use: use)
    #expect(found.map(\.rule) == Array(repeating: "entitlement-unused", count: count))
  }
}
