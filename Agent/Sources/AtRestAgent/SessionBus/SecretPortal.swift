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
  /// The name of the method, also for the log.
  private static let operation = "RetrieveSecret"
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
    case (Self.interface, Self.operation):
      try give(waiting.descriptor, for: request, isProven: caller.isProven)
      // The number says that the call succeeded.
      return SecretService.Answer(body: [.uint32(0), .properties([:])])
    case (BusHub.bus + ".Properties", "GetAll"):
      try Self.checkInterface(request.arguments("s")[0])
      return SecretService.Answer(body: [.properties(values)])
    case (BusHub.bus + ".Properties", "Get"):
      let arguments = try request.arguments("ss")
      try Self.checkInterface(arguments[0])
      guard let value = values[arguments[1].string ?? ""] else {
        throw BusFailure(BusHub.bus + ".Error.UnknownProperty", "There is no such property.")
      }
      return SecretService.Answer(body: [.variant(value)])
    case (BusHub.bus + ".Introspectable", "Introspect"):
      return SecretService.Answer(body: [.text(Self.description)])
    case (BusHub.bus + ".Peer", "Ping"): return SecretService.Answer()
    default: throw request.unknownMethod
    }
  }

  /// Throws a ``BusFailure`` for an interface that the object does not have. An empty one stands for its own.
  private static func checkInterface(_ value: BusValue) throws {
    guard let name = value.string, name.isEmpty || name == interface else {
      throw BusFailure(
        BusHub.bus + ".Error.UnknownInterface", "There is no interface \(value.string ?? "").")
    }
  }

  /// The description of the object, for programs that look at a bus.
  private static let description = """
    <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN" \
    "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
    <node>
      <interface name="\(interface)">
        <method name="RetrieveSecret">
          <arg type="o" name="handle" direction="in"/>
          <arg type="s" name="app_id" direction="in"/>
          <arg type="h" name="fd" direction="in"/>
          <arg type="a{sv}" name="options" direction="in"/>
          <arg type="u" name="response" direction="out"/>
          <arg type="a{sv}" name="results" direction="out"/>
        </method>
        <property name="version" type="u" access="read"/>
      </interface>
      <interface name="\(BusHub.bus).Properties">
        <method name="Get">
          <arg type="s" direction="in"/>
          <arg type="s" direction="in"/>
          <arg type="v" direction="out"/>
        </method>
        <method name="GetAll">
          <arg type="s" direction="in"/>
          <arg type="a{sv}" direction="out"/>
        </method>
      </interface>
      <interface name="\(BusHub.bus).Introspectable">
        <method name="Introspect"><arg type="s" direction="out"/></method>
      </interface>
      <interface name="\(BusHub.bus).Peer"><method name="Ping"/></interface>
    </node>
    """

  /// Writes the secret of an application to the descriptor of a call.
  private func give(
    _ file: OpenDescriptor?, for request: SecretCall, isProven: Bool
  ) throws {
    let (service, peer) = (secrets.service, request.peer)
    let locks = service.locks
    let (application, receiver) = try recordingRefusal("", peer) {
      guard isProven else { throw Self.notProven }
      try request.checkJudged()
      try check(peer)
      let arguments = try request.arguments("osha{sv}")
      guard let application = arguments[1].string, BusNames.isValid(application) else {
        throw Self.noApplication
      }
      // Before a secret is made for nothing.
      guard arguments[2] == .descriptor(0), let file, let receiver = SecretReceiver(file) else {
        throw Self.notTaken
      }
      return (application, receiver)
    }
    let access = try service.secretAccess(
      for: peer, to: AgentService.applicationGroup, writing: true, Self.operation, unlocking: nil)
    let secret = try secret(of: application, by: access)
    try recordingRefusal(application, peer) {
      switch receiver.take(secret, of: application, since: locks, service.lockCount) {
      case .given: break
      case .tooLate: throw service.refusalAfterLock
      case .refused: throw Self.notTaken
      case .busy: throw Self.stillWriting
      }
    }
  }

  /// Throws the reason for which a process is not given secrets. The user is not asked: neither the portal nor the
  /// application could withdraw the question, which would name the portal.
  private func check(_ peer: Peer) throws {
    let service = secrets.service
    try service.checkUser(of: peer)
    try GuardedOperation.giveToApplications.check(Origin(peer))
    try service.keybag.checkStore()
    _ = try service.permission(for: peer, claim: [AgentService.applicationGroup]).identity(
      writing: true, peer: peer)
    try service.checkUnlocked()
  }

  /// Runs a part of a request, and records its refusal.
  private func recordingRefusal<Result>(
    _ application: String, _ peer: Peer, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch {
      let code =
        error is BusFailure ? AtRestError.Code.invalidArgument : AgentService.known(error).code
      try? secrets.service.record(Self.operation, application, peer, answer: code.rawValue)
      throw error
    }
  }

  private static let notProven = AtRestError(
    .notPermitted,
    "This bus does not prove which program calls, so nobody is taken for the portal.",
    remedy: "Use a bus that does, such as dbus 1.16 or dbus-broker 34.")
  private static let noApplication = AtRestError(
    .invalidArgument, "This is no application in a sandbox.",
    remedy: "Its identifier is one such as org.example.App.")
  private static let notTaken = AtRestError(
    .invalidArgument, "The descriptor is no pipe or socket that takes the secret.",
    remedy: "Use an empty pipe.")
  private static let stillWriting = AtRestError(
    .busy, "The secret is not written before an earlier write has ended.",
    remedy: "Read or close the pipe of the earlier request, and try again.")

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
}
