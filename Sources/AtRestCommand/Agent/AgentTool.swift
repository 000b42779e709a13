import ArgumentParser
import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
import Foundation

/// A program that uses the agent, and the grants that its programs need together.
enum AgentTool: String, ExpressibleByArgument, CaseIterable {
  case ssh
  case git
  case docker
  case secretService = "secret-service"
  case flatpak

  /// Returns the grants.
  ///
  /// - Throws: ``AtRestError/Code/notFound`` if the tool is not installed.
  func grants() throws -> [AgentGrant] {
    switch self {
    case .ssh:
      try Self.grants(for: ["ssh", "ssh-keygen"]) + Self.added(["ssh-add"], mayWrite: true)
    case .git:
      // git signs by ssh-keygen, connects by ssh, and asks git-credential-atrest for passwords.
      try [Self.own(ApplicationIdentity.owner().defaultGroup)]
        + Self.added(["ssh", "ssh-keygen"], mayWrite: false)
    case .docker: [try Self.own(DockerCredentialCommand.group)]
    // Any program may be a client, as with other keyrings.
    case .secretService:
      [
        AgentGrant(
          AgentEvidence(.user, String(geteuid())), groups: ["secret-service"], mayWrite: true)
      ]
    case .flatpak: [try Self.portal()]
    }
  }

  /// The places of the portal, which no PATH has.
  private static let portals = ["/usr/libexec/xdg-desktop-portal", "/usr/lib/xdg-desktop-portal"]

  /// The grant for the portal that asks for the secrets of applications.
  private static func portal() throws -> AgentGrant {
    // A folder in the place of the program is none.
    guard let evidence = portals.lazy.compactMap({ try? ProgramEvidence.of($0) }).first else {
      throw AtRestError(
        .notFound, "There is no program xdg-desktop-portal in /usr/libexec or /usr/lib.",
        remedy: "Install it first, or name it: --program PATH --group flatpak-secrets --write.")
    }
    return AgentGrant(evidence, groups: ["flatpak-secrets"], mayWrite: true)
  }

  /// The grant for this program, under whose names git and docker call it.
  private static func own(_ group: String) throws -> AgentGrant {
    AgentGrant(try ProgramEvidence.of("/proc/self/exe"), groups: [group], mayWrite: true)
  }

  /// The grants for keys of SSH.
  private static func grants(for names: [String]) throws -> [AgentGrant] {
    try names.map { name in
      guard let path = ProgramEvidence.find(name) else {
        throw AtRestError(
          .notFound, "There is no program \(name) on the PATH.", remedy: "Install it first.")
      }
      return AgentGrant(try ProgramEvidence.of(path), groups: ["ssh"], mayWrite: false)
    }
  }

  /// The grants for keys of SSH, for programs without which the tool can do some of its work.
  private static func added(_ names: [String], mayWrite: Bool) throws -> [AgentGrant] {
    try names.compactMap(ProgramEvidence.find).map {
      AgentGrant(try ProgramEvidence.of($0), groups: ["ssh"], mayWrite: mayWrite)
    }
  }
}
