@_spi(Tools) import AtRestBus
import Foundation

/// Unlocking, for which the user may be asked.
extension SecretService {
  /// Answers a call to unlock objects. All of them are unlocked with the store.
  ///
  /// Where nobody can be asked, the answer is an error, because clients show its reason. A prompt that is dismissed
  /// looks to `secret-tool` like an item that does not exist.
  func unlock(_ paths: [String], for request: SecretCall) throws -> Answer {
    try service.checkUser(of: request.peer)
    if paths.isEmpty || service.isUnlocked { return Answer(body: [.paths(paths), Self.noPrompt]) }
    try request.checkJudged()
    try service.checkMayAskToUnlock(for: request.peer)
    return Answer(body: [.paths([]), try request.client.makePrompt(paths).value])
  }

  func answerPrompt(_ request: SecretCall, _ number: UInt64) throws -> Answer {
    let client = request.client
    let prompt = try client.prompt(number)
    switch request.member("Prompt") {
    case "Prompt":
      // The number of a window is of no use here.
      _ = try request.arguments("s")
      try request.checkJudged()
      guard prompt.begin() else {
        throw BusFailure(BusHub.bus + ".Error.Failed", "This prompt was begun before.")
      }
      // The user has minutes, and a call does not. Some clients wait for the signal only after the answer.
      return Answer(whenSent: { [self, peer = request.peer] in ask(prompt, peer, client) })
    case "Dismiss":
      _ = try request.arguments("")
      complete(prompt, isDismissed: true, client)
      return Answer()
    default: throw request.unknownMethod
    }
  }

  /// Asks the user on a thread of its own.
  private func ask(_ prompt: SecretPrompt, _ peer: Peer, _ client: SecretClient) {
    let thread = Thread { [self] in
      try? service.askToUnlock(for: peer) { prompt.isOpen }
      // Programs that show the state learn of it before this one goes on.
      announceLockState()
      complete(prompt, isDismissed: !service.isUnlocked, client)
    }
    thread.name = "prompt"
    thread.start()
  }

  /// Ends a prompt, and tells its client.
  private func complete(_ prompt: SecretPrompt, isDismissed: Bool, _ client: SecretClient) {
    guard prompt.end() else { return }
    client.emit(
      BusMessage(
        .signal, path: prompt.path.text, interface: Self.interface + "Prompt", member: "Completed",
        [.boolean(isDismissed), .variant(.paths(isDismissed ? [] : prompt.wanted))]))
  }
}
