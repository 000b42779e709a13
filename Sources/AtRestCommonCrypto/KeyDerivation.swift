import AtRestCrypto
import CommonCrypto
import Foundation

// The calls of CommonKeyDerivation.h. The parameters are checked in the order of Apple's source
// (CommonKeyDerivation.c, lines 42 to 55 and 109 to 135).

@_cdecl("CCKeyDerivationPBKDF") func deriveKey(
  _ algorithm: CCPBKDFAlgorithm, _ password: UnsafePointer<CChar>?, _ passwordCount: Int,
  _ salt: UnsafePointer<UInt8>?, _ saltCount: Int, _ function: CCPseudoRandomAlgorithm,
  _ rounds: UInt32, _ key: UnsafeMutablePointer<UInt8>?, _ keyCount: Int
) -> Int32 {
  guard Int(algorithm) == kCCPBKDF2, let function = hashFunction(function), let password, let key,
    keyCount > 0, rounds > 0, salt != nil || saltCount == 0
  else { return Int32(kCCParamError) }
  let derived = try? PBKDF2.key(
    from: UnsafeRawBufferPointer(start: password, count: passwordCount),
    salt: salt.map { Data(bytes: $0, count: saltCount) } ?? Data(), function, rounds: Int(rounds),
    count: keyCount)
  guard let derived else { return Int32(kCCParamError) }
  derived.withUnsafeBytes {
    UnsafeMutableRawBufferPointer(start: key, count: keyCount).copyMemory(from: $0)
  }
  return Int32(kCCSuccess)
}

private func hashFunction(_ function: CCPseudoRandomAlgorithm) -> PBKDF2.Function? {
  switch Int(function) {
  case kCCPRFHmacAlgSHA1: .insecureSHA1
  case kCCPRFHmacAlgSHA224: .insecureSHA224
  case kCCPRFHmacAlgSHA256: .sha256
  case kCCPRFHmacAlgSHA384: .sha384
  case kCCPRFHmacAlgSHA512: .sha512
  default: nil
  }
}

@_cdecl("CCCalibratePBKDF") func calibrate(
  _ algorithm: CCPBKDFAlgorithm, _ passwordCount: Int, _ saltCount: Int,
  _ function: CCPseudoRandomAlgorithm, _ keyCount: Int, _ milliseconds: UInt32
) -> UInt32 {
  let fewest: UInt32 = 10_000
  guard keyCount > 0, saltCount <= 132, Int(algorithm) == kCCPBKDF2 else { return .max }
  let password = [CChar](repeating: 97, count: max(1, passwordCount))
  let salt = (0..<max(1, saltCount)).map { UInt8(truncatingIfNeeded: $0) }
  var key = [UInt8](repeating: 0, count: keyCount)
  // Apple measures 100,000 rounds. A quarter of them takes long enough to be measured.
  let measured: UInt32 = 25_000
  var status: Int32 = 0
  let time = ContinuousClock().measure {
    status = deriveKey(
      algorithm, password, password.count, salt, saltCount, function, measured, &key, keyCount)
  }
  guard status == kCCSuccess else { return .max }
  let rounds = Duration.milliseconds(Int64(milliseconds)) / time * Double(measured)
  return max(fewest, UInt32(min(rounds, Double(Int32.max))))
}
