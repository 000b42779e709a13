import AtRestCrypto
import AtRestSecKey
import Foundation

extension LAError {
  /// Uses a key, and converts the errors: to an `NSError` with the status of `SecKey` if what the caller
  /// provided is wrong, and otherwise to an ``LAError``.
  static func ofKeys<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async throws -> Result {
    do {
      return try await body()
    } catch let error as StatusError {
      throw NSError(error)
    } catch let error as AtRestError where error.code == .invalidArgument {
      throw NSError(StatusError.parameter(error.description))
    } catch {
      throw LAError(error)
    }
  }
}

extension NSError {
  fileprivate convenience init(_ error: StatusError) {
    self.init(
      domain: NSOSStatusErrorDomain, code: Int(error.status),
      userInfo: [NSLocalizedDescriptionKey: error.message])
  }
}
