import AtRestCrypto
@_spi(Tools) import AtRestKeychain

/// A request as its client sent it.
///
/// It may wait for a thread longer than its connection lasts. Its memory counts until then.
struct FrameRequest: Sendable {
  /// The size up to which a request needs no room in the budget.
  static let free = 4 << 10

  private let secret: AgentSecret
  private let held: Budget.Held?

  /// - Throws: ``AtRestError/Code/busy`` if there is no memory for it.
  init(_ secret: AgentSecret, _ budget: Budget, for holder: Holder) throws {
    self.secret = secret
    let count = secret.bytes.count
    held = count > Self.free ? budget.hold(count, for: holder) : nil
    guard count <= Self.free || held != nil else { throw AtRestError.shareIsUsedUp }
  }

  /// Returns what the answer takes.
  func work(of session: any FrameSession) -> FrameWork {
    secret.bytes.withUnsafeBytes { session.work(for: $0) }
  }

  /// Answers the request.
  func answer(by session: any FrameSession) -> FrameAnswer {
    secret.bytes.withUnsafeBytes { session.answer($0) }
  }
}
