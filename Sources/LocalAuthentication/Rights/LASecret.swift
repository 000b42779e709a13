import AtRestKeychain
import Foundation

/// The secret of a right.
///
/// The secret can be read as long as the right is authorized, even if no other object holds the
/// right. Safe to use from several threads. Source: `LASecret.h` of the SDK of iOS 18.
public final class LASecret: NSObject, Sendable {
  private let identifier: String
  private let keychain: Keychain
  private let right: LARight.Shared

  init(_ identifier: String, _ keychain: Keychain, _ right: LARight.Shared) {
    (self.identifier, self.keychain, self.right) = (identifier, keychain, right)
  }

  /// The secret. The user must have authorized the right.
  ///
  /// - Throws: ``LAError/notInteractive`` if the right is not authorized; ``LAError/invalidContext`` if it
  ///   was stored without a secret or removed; ``LAError``.
  public var rawData: Data {
    get async throws {
      do {
        let secret = try await keychain.secret(
          for: LARightStore.secretKey(identifier),
          context: right.context.authenticationContext(reason: nil, interaction: .forbidden))
        return Data(copying: secret)
      } catch {
        throw LAError(error)
      }
    }
  }

  /// Reads ``rawData``, and calls a closure with the secret or an ``LAError``.
  ///
  /// - Parameter completion: Called once, on a thread of the concurrency runtime.
  @preconcurrency
  public func loadData(completion: @escaping @Sendable (Data?, (any Error)?) -> Void) {
    callBack(completion) { try await self.rawData }
  }
}
