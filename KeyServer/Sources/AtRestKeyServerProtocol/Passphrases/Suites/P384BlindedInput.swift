import AtRestCrypto
import Crypto
import CryptoExtras
import Foundation

/// An input that was blinded for P384-SHA384. swift-crypto computes everything.
struct P384BlindedInput: SuiteBlindedInput, @unchecked Sendable {
  // The values of swift-crypto are immutable, but not marked as `Sendable`.
  private let input: P384._VOPRF.BlindedInput
  private let key: P384._VOPRF.PublicKey

  var element: Data { input.blindedElement.oprfRepresentation }

  init(_ input: borrowing SecretBytes, publicKey: Data) throws {
    do {
      key = try P384._VOPRF.PublicKey(compressedRepresentation: publicKey)
    } catch {
      throw AtRestError(damaged: "The key server's public key is not a point of P-384.")
    }
    do {
      self.input = try key.blind(Data(copying: input))
    } catch {
      throw AtRestError.notHashed(error)
    }
  }

  func finalize(_ evaluation: Data) throws -> SecretBytes {
    let decoded: P384._VOPRF.BlindEvaluation
    do {
      decoded = try P384._VOPRF.BlindEvaluation(rawRepresentation: evaluation)
    } catch {
      throw AtRestError(damaged: "The key server's evaluation has a value that is out of range.")
    }
    do {
      var output = try key.finalize(input, using: decoded)
      return SecretBytes(erasing: &output)
    } catch {
      throw AtRestError.otherServerKey
    }
  }
}
