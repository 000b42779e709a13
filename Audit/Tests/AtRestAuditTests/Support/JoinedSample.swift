import AtRestAudit
import AtRestContainers

/// A report on code and on a container in which two values were found that the code stores.
enum JoinedSample {
  static let canary = "violet-kestrel-48"
  static let list = "Library/Preferences/org.example.bank.plist"

  static let code = """
    func remember(password: String, draft: String) {
      UserDefaults.standard.set(password, forKey: "loginPassword")
      UserDefaults.standard.set(draft, forKey: "draft")
      print(password)
    }
    """

  static func report() throws -> AuditReport {
    let text = """
      <plist version="1.0"><dict>
      <key>loginPassword</key><string>\(canary)</string>
      <key>draft</key><string>\(canary)</string>
      <key>other</key><string>\(canary)</string>
      </dict></plist>
      """
    var audit = ContainerAudit(name: "Bank", ContainerSource(files: [list: Array(text.utf8)]))
    audit.canaries = [
      try Canary(name: "note", value: canary), try Canary(name: "pin", value: "amber-otter-19"),
    ]
    return try Audit(tree: SourceTree(name: "Bank", files: ["App/Login.swift": code])).run()
      .adding(audit.run())
  }
}
