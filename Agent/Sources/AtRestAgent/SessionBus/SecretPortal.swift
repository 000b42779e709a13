@_spi(Tools) import AtRestBus
import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
import Foundation

/// The back end of the portal that gives each application in a sandbox a secret of its own, with which the application
/// encrypts what it keeps itself.
///
/// The portal knows the application, and the agent believes what it says. Only a program with a grant for the group of
/// these secrets is therefore taken for the portal. Source: `org.freedesktop.impl.portal.Secret`, version 1.
struct SecretPortal: Sendable {
  static let interface = "org.freedesktop.impl.portal.Secret"
  static let path = "/org/freedesktop/portal/desktop"
  private static let version: UInt32 = 1
  /// The size of a new secret, which is that of gnome-keyring's.
  private static let size = 64

  let secrets: SecretService

  /// Answers a call to the object of the portal.
  ///
  /// - Throws: ``BusFailure``; the errors of the agent.
  func answer(
    _ waiting: BusCaller.Waiting, from client: SecretClient, _ caller: BusCaller.Known
  ) throws -> SecretService.Answer {
    let request = SecretCall(waiting.call, client, caller.identity)
    let values: [String: BusValue] = ["version": .uint32(Self.version)]
    switch (waiting.call.interface, waiting.call.member) {
    case (Self.interface, "RetrieveSecret"):
      let arguments = try request.arguments("osha{sv}")
      guard caller.isProven else { throw Self.notProven }
      try request.checkJudged()
      guard let file = waiting.descriptor, arguments[2] == .descriptor(0) else {
        throw BusFailure.arguments("osha{sv}, with one descriptor")
      }
      try give(arguments[1].string ?? "", file, for: request)
      // The number says that the call succeeded.
      return SecretService.Answer(body: [.uint32(0), .properties([:])])
    case (BusHub.bus + ".Properties", "GetAll"):
      return SecretService.Answer(body: [.properties(values)])
    case (BusHub.bus + ".Properties", "Get"):
      guard let value = try values[request.arguments("ss")[1].string ?? ""] else {
        throw BusFailure(BusHub.bus + ".Error.UnknownProperty", "There is no such property.")
      }
      return SecretService.Answer(body: [.variant(value)])
    default: throw request.unknownMethod
    }
  }

  private static let notProven = BusFailure(
    BusHub.bus + ".Error.AccessDenied",
    "This bus does not prove which program calls, so nobody is taken for the portal. "
      + "Use a bus that does, such as dbus 1.16 or dbus-broker 34.")

  /// Writes the secret of an application to a descriptor.
  private func give(
    _ application: String, _ file: OpenDescriptor, for request: SecretCall
  ) throws {
    guard BusNames.isValid(application) else {
      throw BusFailure(
        BusHub.bus + ".Error.InvalidArgs",
        "This is no application in a sandbox. Its identifier is one such as org.example.App.")
    }
    let (service, peer) = (secrets.service, request.peer)
    try GuardedOperation.giveToApplications.check(Origin(peer))
    // Where nobody can be asked, what follows is refused as locked.
    if !service.isUnlocked, (try? service.checkMayAskToUnlock(for: peer)) != nil {
      try? service.askToUnlock(for: peer) { [client = request.client] in !client.isGone }
    }
    let locks = service.locks
    let access = try service.secretAccess(
      for: peer, to: AgentService.applicationGroup, writing: true, "RetrieveSecret", unlocking: nil)
    let secret = try secret(of: application, by: access)
    try service.checkNoLock(since: locks)
    try Self.write(secret, to: file.number)
  }

  /// Returns the secret of an application, which is made when the application first asks.
  private func secret(of application: String, by access: SecretAccess) throws -> AgentSecret {
    let key = PrimaryKey.genericPassword(
      service: application, account: "", group: AgentService.applicationGroup)
    return try secrets.making.withLock { _ in
      do {
        guard case .secret(let secret) = try access.perform(.secret(.key(key))) else {
          throw AtRestError(.system, "The agent failed.", remedy: "See its messages.")
        }
        return secret
      } catch AtRestError.Code.notFound {
        let secret = AgentSecret(SecretBytes.random(count: Self.size))
        _ = try access.perform(
          .add(
            key, [.label: .text("Flatpak \(application)")], .accessible(.whenUnlocked),
            secret: secret))
        return secret
      }
    }
  }

  /// Writes a secret to a pipe or a socket that takes it at once. The application has the other end, and must not keep
  /// the agent waiting, as a file on a file system of its own could.
  private static func write(_ secret: AgentSecret, to file: Int32) throws {
    var (status, state) = (stat(), pollfd(fd: file, events: Int16(POLLOUT), revents: 0))
    let isPipe = fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    let isSocket = status.st_mode & S_IFMT == S_IFSOCK
    let count = secret.bytes.count
    let written = secret.bytes.withUnsafeBytes { bytes in
      isSocket
        ? send(file, bytes.baseAddress!, count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        : isPipe && poll(&state, 1, 0) == 1 && state.revents & Int16(POLLOUT) != 0
          ? Foundation.write(file, bytes.baseAddress!, count) : -1
    }
    guard written == count else {
      throw BusFailure(
        BusHub.bus + ".Error.InvalidArgs",
        "The descriptor is no pipe or socket that takes the secret.")
    }
  }
}
