// What JOSESwift needs of CommonCrypto, over swift-crypto. It is part of test-libraries.py and of no
// product.
import Crypto
import CryptoExtras
import Foundation

typealias CCAlgorithm = UInt32
typealias CCOperation = UInt32
typealias CCOptions = UInt32
typealias CCHmacAlgorithm = UInt32
typealias CCPseudoRandomAlgorithm = UInt32
typealias CCPBKDFAlgorithm = UInt32
typealias CCWrappingAlgorithm = UInt32
typealias CCCryptorStatus = Int32
typealias CC_LONG = UInt32

let kCCSuccess = 0
let kCCParamError = -4300
let kCCMemoryFailure = -4302
let kCCDecodeError = -4304
let kCCAlgorithmAES = 0
let kCCAlgorithmAES128 = 0
let kCCEncrypt = 0
let kCCDecrypt = 1
let kCCOptionPKCS7Padding = 1
let kCCKeySizeAES128 = 16
let kCCKeySizeAES192 = 24
let kCCKeySizeAES256 = 32
let kCCBlockSizeAES128 = 16
let kCCHmacAlgSHA256 = 2
let kCCHmacAlgSHA384 = 3
let kCCHmacAlgSHA512 = 4
let kCCPRFHmacAlgSHA256 = 3
let kCCPRFHmacAlgSHA384 = 4
let kCCPRFHmacAlgSHA512 = 5
let kCCPBKDF2 = 2
let kCCWRAPAES = 1
let CC_SHA256_DIGEST_LENGTH = 32
let CC_SHA384_DIGEST_LENGTH = 48
let CC_SHA512_DIGEST_LENGTH = 64
// atrest:ignore static-iv RFC 3394 prescribes this value
let CCrfc3394_iv: [UInt8] = Array(repeating: 0xa6, count: 8)
let CCrfc3394_ivLen = 8

private func data(_ bytes: UnsafeRawPointer?, _ count: Int) -> Data {
  bytes.map { Data(bytes: $0, count: count) } ?? Data()
}

private func write(_ data: some DataProtocol, to place: UnsafeMutableRawPointer?) {
  guard let place else { return }
  _ = data.copyBytes(to: UnsafeMutableRawBufferPointer(start: place, count: data.count))
}

@discardableResult
func CC_SHA256(
  _ input: UnsafeRawPointer?, _ count: CC_LONG, _ output: UnsafeMutablePointer<UInt8>?
) -> UnsafeMutablePointer<UInt8>? {
  write(Data(Crypto.SHA256.hash(data: data(input, Int(count)))), to: output)
  return output
}

@discardableResult
func CC_SHA384(
  _ input: UnsafeRawPointer?, _ count: CC_LONG, _ output: UnsafeMutablePointer<UInt8>?
) -> UnsafeMutablePointer<UInt8>? {
  write(Data(Crypto.SHA384.hash(data: data(input, Int(count)))), to: output)
  return output
}

@discardableResult
func CC_SHA512(
  _ input: UnsafeRawPointer?, _ count: CC_LONG, _ output: UnsafeMutablePointer<UInt8>?
) -> UnsafeMutablePointer<UInt8>? {
  write(Data(Crypto.SHA512.hash(data: data(input, Int(count)))), to: output)
  return output
}

func timingsafe_bcmp(_ a: [UInt8], _ b: [UInt8], _ count: Int) -> Int32 {
  zip(a, b).reduce(0) { $0 | Int32($1.0 ^ $1.1) }
}

func CCCrypt(
  _ operation: CCOperation, _ algorithm: CCAlgorithm, _ options: CCOptions,
  _ key: UnsafeRawPointer?, _ keyLength: Int, _ iv: UnsafeRawPointer?, _ dataIn: UnsafeRawPointer?,
  _ dataInLength: Int, _ dataOut: UnsafeMutableRawPointer?, _ dataOutAvailable: Int,
  _ dataOutMoved: UnsafeMutablePointer<Int>?
) -> CCCryptorStatus {
  let key = Crypto.SymmetricKey(data: data(key, keyLength))
  guard let iv = try? Crypto.AES._CBC.IV(ivBytes: data(iv, 16)) else { return Int32(kCCParamError) }
  let input = data(dataIn, dataInLength)
  let output =
    operation == CCOperation(kCCEncrypt)
    ? try? Crypto.AES._CBC.encrypt(input, using: key, iv: iv)
    : try? Crypto.AES._CBC.decrypt(input, using: key, iv: iv)
  guard let output, output.count <= dataOutAvailable else { return Int32(kCCDecodeError) }
  write(output, to: dataOut)
  dataOutMoved?.pointee = output.count
  return Int32(kCCSuccess)
}

func CCHmac(
  _ algorithm: CCHmacAlgorithm, _ key: UnsafeRawPointer?, _ keyLength: Int,
  _ input: UnsafeRawPointer?, _ inputLength: Int, _ output: UnsafeMutableRawPointer?
) {
  let key = Crypto.SymmetricKey(data: data(key, keyLength))
  let input = data(input, inputLength)
  switch Int(algorithm) {
  case kCCHmacAlgSHA256:
    write(Data(Crypto.HMAC<Crypto.SHA256>.authenticationCode(for: input, using: key)), to: output)
  case kCCHmacAlgSHA384:
    write(Data(Crypto.HMAC<Crypto.SHA384>.authenticationCode(for: input, using: key)), to: output)
  default: write(Data(Crypto.HMAC<Crypto.SHA512>.authenticationCode(for: input, using: key)), to: output)
  }
}

func CCKeyDerivationPBKDF(
  _ algorithm: CCPBKDFAlgorithm, _ password: UnsafeRawPointer?, _ passwordLength: Int,
  _ salt: UnsafeRawPointer?, _ saltLength: Int, _ function: CCPseudoRandomAlgorithm,
  _ rounds: UInt32, _ key: UnsafeMutableRawPointer?, _ keyLength: Int
) -> Int32 {
  let hash: KDF.Insecure.PBKDF2.HashFunction =
    switch Int(function) {
    case kCCPRFHmacAlgSHA256: .sha256
    case kCCPRFHmacAlgSHA384: .sha384
    default: .sha512
    }
  let derived = try? KDF.Insecure.PBKDF2.deriveKey(
    from: data(password, passwordLength), salt: data(salt, saltLength), using: hash,
    outputByteCount: keyLength, unsafeUncheckedRounds: Int(rounds))
  guard let derived else { return Int32(kCCParamError) }
  derived.withUnsafeBytes { write(Data($0), to: key) }
  return Int32(kCCSuccess)
}

func CCSymmetricWrappedSize(_ algorithm: CCWrappingAlgorithm, _ count: Int) -> Int { count + 8 }
func CCSymmetricUnwrappedSize(_ algorithm: CCWrappingAlgorithm, _ count: Int) -> Int {
  max(count - 8, 0)
}

func CCSymmetricKeyWrap(
  _ algorithm: CCWrappingAlgorithm, _ iv: UnsafePointer<UInt8>?, _ ivLength: Int,
  _ wrappingKey: UnsafePointer<UInt8>?, _ wrappingKeyLength: Int, _ key: UnsafePointer<UInt8>?,
  _ keyLength: Int, _ output: UnsafeMutablePointer<UInt8>?, _ count: UnsafeMutablePointer<Int>?
) -> Int32 {
  let wrapped = try? Crypto.AES.KeyWrap.wrap(
    Crypto.SymmetricKey(data: data(key, keyLength)),
    using: Crypto.SymmetricKey(data: data(wrappingKey, wrappingKeyLength)))
  guard let wrapped else { return Int32(kCCParamError) }
  write(wrapped, to: output)
  count?.pointee = wrapped.count
  return Int32(kCCSuccess)
}

func CCSymmetricKeyUnwrap(
  _ algorithm: CCWrappingAlgorithm, _ iv: UnsafePointer<UInt8>?, _ ivLength: Int,
  _ wrappingKey: UnsafePointer<UInt8>?, _ wrappingKeyLength: Int, _ wrapped: UnsafePointer<UInt8>?,
  _ wrappedLength: Int, _ output: UnsafeMutablePointer<UInt8>?, _ count: UnsafeMutablePointer<Int>?
) -> Int32 {
  let key = try? Crypto.AES.KeyWrap.unwrap(
    data(wrapped, wrappedLength),
    using: Crypto.SymmetricKey(data: data(wrappingKey, wrappingKeyLength)))
  guard let key else { return Int32(kCCDecodeError) }
  key.withUnsafeBytes { write(Data($0), to: output) }
  count?.pointee = max(wrappedLength - 8, 0)
  return Int32(kCCSuccess)
}
