import ArgumentParser
import AtRestCrypto
import AtRestKeybag
import AtRestKeychain

/// A program that uses the agent, and the grants that its programs need together.
enum AgentTool: String, ExpressibleByArgument, CaseIterable {
  case ssh
  case git
  case docker

  /// Returns the grants.
  ///
  /// - Throws: ``AtRestError/Code/notFound`` if the tool is not installed.
  func grants() throws -> [AgentGrant] {
    switch self {
    case .ssh:
      try Self.grants(for: ["ssh", "ssh-keygen"], ["ssh"]) + Self.added(["ssh-add"], mayWrite: true)
    case .git:
      // git signs by ssh-keygen, connects by ssh, and asks git-credential-atrest for passwords.
      try [Self.own()] + Self.grants(for: ["ssh", "ssh-keygen"], ["ssh"])
    case .docker: [try Self.own()]
    }
  }

  /// The grant for this program, under whose names git and docker call it.
  private static func own() throws -> AgentGrant {
    AgentGrant(
      try ProgramEvidence.of("/proc/self/exe"), groups: [ApplicationIdentity.owner().defaultGroup],
      mayWrite: true)
  }

  private static func grants(for names: [String], _ groups: [String]) throws -> [AgentGrant] {
    try names.map { name in
      guard let path = ProgramEvidence.find(name) else {
        throw AtRestError(
          .notFound, "There is no program \(name) on the PATH.", remedy: "Install it first.")
      }
      return AgentGrant(try ProgramEvidence.of(path), groups: groups, mayWrite: false)
    }
  }

  /// The grants for programs of which the tool has no need.
  private static func added(_ names: [String], mayWrite: Bool) throws -> [AgentGrant] {
    try names.compactMap(ProgramEvidence.find).map {
      AgentGrant(try ProgramEvidence.of($0), groups: ["ssh"], mayWrite: mayWrite)
    }
  }
}
