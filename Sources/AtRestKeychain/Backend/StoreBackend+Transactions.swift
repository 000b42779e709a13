import AtRestCrypto
import AtRestKeybag
import Foundation

/// The transactions in which items are read and written, with an ``ItemReader`` or ``ItemWriter``
/// for each call.
extension StoreBackend {
  /// Runs a closure that reads items in one snapshot. If the closure needs a proof, the user is
  /// asked outside the database transaction, and the closure runs again.
  func reading<Result: ~Copyable>(
    with context: AuthenticationContext?, _ body: (ItemReader) throws -> Result
  ) throws -> Result {
    try authenticating(context) { decision in
      try database.read { session in try body(reader(in: session, decision)) }
    }
  }

  /// Runs a closure that reads and writes items in one durable transaction. The user is asked as in
  /// ``reading(with:_:)``.
  ///
  /// - Parameter isShared: False if the closure runs code of the caller, or takes long.
  func writing<Result: ~Copyable>(
    with context: AuthenticationContext?, isShared: Bool = true,
    _ body: (ItemWriter) throws -> Result
  ) throws -> Result {
    try authenticating(context) { decision in
      try database.write(isShared: isShared) { session in
        try body(ItemWriter(reader: reader(in: session, decision), clock: clock))
      }
    }
  }

  private func reader(in session: Session, _ decision: AccessDecision) -> ItemReader {
    ItemReader(
      finder: ItemFinder(identity: identity, keybag: keybag, boxes: boxes, session: session),
      decision: decision)
  }

  /// Returns the decision about access in one call.
  func decision(_ context: AuthenticationContext) -> AccessDecision {
    AccessDecision(
      keybag: keybag, authenticator: authenticator, context: context, now: clock())
  }

  /// Runs a closure. If the closure needs a proof, the user is asked outside the database
  /// transaction, and the closure runs again.
  private func authenticating<Result: ~Copyable>(
    _ context: AuthenticationContext?, _ body: (AccessDecision) throws -> Result
  ) throws -> Result {
    var decision = decision(context ?? AuthenticationContext())
    // Inside the caller's transaction, the user is asked at once: the database stays locked.
    while true {
      do {
        decision.defersPrompts = !isInTransaction
        return try body(decision)
      } catch let error as CallersError {
        throw error.error
      } catch let prompt as PendingPrompt {
        decision.defersPrompts = false
        try decision.settle(prompt)
      }
    }
  }

  /// True inside ``transaction(_:)`` of this backend.
  var isInTransaction: Bool { Self.transactionOwner == ObjectIdentifier(self) }
  @TaskLocal private static var transactionOwner: ObjectIdentifier?

  /// Runs several calls as one durable transaction.
  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try database.write(isShared: false) { _ in
        try callersOwn {
          try Self.$transactionOwner.withValue(ObjectIdentifier(self)) { try body() }
        }
      }
    } catch let error as CallersError {
      throw error.error
    }
  }

  /// Runs the caller's code. Errors of this code reach the caller unchanged, and are not converted
  /// to database errors.
  func callersOwn<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as AtRestError {
      throw error
    } catch let error as CallersError {
      throw error
    } catch let error as PendingPrompt {
      throw error
    } catch {
      throw CallersError(error: error)
    }
  }
}

extension AuthenticationContext {
  /// A context for calls that never ask the user. An item that needs a proof is refused.
  static var unattended: AuthenticationContext { AuthenticationContext(interaction: .forbidden) }
}
