@_spi(Tools) import AtRestKeychain

extension AgentGrant {
  /// The grant in the audit log: everything that it gives, with the options of `atrest grant add`.
  var entry: String {
    "\(evidence) \(groups)" + (mayWrite ? " --write" : "")
      + (isForSandboxes ? " --in-sandboxes" : "")
  }
}
