import Foundation

/// Where the asynchronous forms run: off the caller's actor, as those of the keychain do.
enum VaultKeysQueue {
  private static let queue = DispatchQueue(label: "atrest.vault-keys", attributes: .concurrent)

  static func run<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Swift.Result { try body() }) }
    }
  }
}
