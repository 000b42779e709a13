import AtRestCrypto
import AtRestKeybag

/// Several calls as one.
extension Keychain {
  /// Runs several calls as one durable transaction: either all of them take effect, or none.
  ///
  /// ```swift
  /// try keychain.transaction {
  ///   try keychain.delete(old)
  ///   try keychain.add(new, secret: secret)
  /// }
  /// ```
  ///
  /// The closure runs on the calling thread while the database is locked, so keep it short.
  ///
  /// The calls in the closure use the store directly, even if an agent serves it. A process that has
  /// not unlocked the store itself therefore finds most items locked.
  ///
  /// - Throws: The error of the closure. Nothing is changed in that case.
  @discardableResult
  public func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try directly("carries out no transactions") { try $0.transaction(body) }
  }

  /// Runs several calls as one durable transaction, or one after the other if the agent carries them
  /// out, to which a transaction does not reach.
  ///
  /// - Throws: The error of the closure. With the agent, the calls before it have taken effect.
  package func together<Result>(_ body: () throws -> Result) throws -> Result {
    try isServedByAgent ? body() : transaction(body)
  }

  /// Runs a closure that needs transactions. If the closure finds the store locked while an agent serves
  /// it, the error says that unlocking the store in the agent does not help.
  package func explainingDirectUse<Result>(_ body: () throws -> Result) throws -> Result {
    try directly("carries out no transactions") { _ in try body() }
  }
}
