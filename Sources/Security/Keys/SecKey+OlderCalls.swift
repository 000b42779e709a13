// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

/// Signs a digest. This is the older form of ``SecKeyCreateSignature(_:_:_:_:)``.
///
/// - Parameters:
///   - padding: The kind of digest for an RSA key, or the format of the signature for an
///     elliptic-curve key.
///   - sigLen: The size of the buffer in bytes. The call changes this to the size of the signature.
/// - Returns: `errSecSuccess`; `errSecParam` if the buffer is too small; or another error code.
@discardableResult
public func SecKeyRawSign(
  _ key: SecKey, _ padding: SecPadding, _ dataToSign: UnsafePointer<UInt8>,
  _ dataToSignLen: Int, _ sig: UnsafeMutablePointer<UInt8>, _ sigLen: UnsafeMutablePointer<Int>
) -> OSStatus {
  guard let algorithm = padding.signature(by: key) else { return errSecParam }
  return olderCall(sig, sigLen) {
    SecKeyCreateSignature(key, algorithm, NSData(bytes: dataToSign, length: dataToSignLen), $0)
  }
}

/// Verifies the signature of a digest. This is the older form of
/// ``SecKeyVerifySignature(_:_:_:_:_:)``.
///
/// - Returns: `errSecSuccess`; `errSSLCrypto` (-9809) if the signature is not valid; or another
///   error code.
@discardableResult
public func SecKeyRawVerify(
  _ key: SecKey, _ padding: SecPadding, _ signedData: UnsafePointer<UInt8>,
  _ signedDataLen: Int, _ sig: UnsafePointer<UInt8>, _ sigLen: Int
) -> OSStatus {
  guard let algorithm = padding.signature(by: key) else { return errSecParam }
  return olderCall(nil, nil) { error in
    let isValid = SecKeyVerifySignature(
      key, algorithm, NSData(bytes: signedData, length: signedDataLen),
      NSData(bytes: sig, length: sigLen), error)
    return isValid ? NSData() : nil
  }
}

/// Encrypts data to an RSA public key. This is the older form of
/// ``SecKeyCreateEncryptedData(_:_:_:_:)``.
///
/// - Parameter cipherTextLen: The size of the buffer in bytes. The call changes this to the size of
///   the ciphertext.
/// - Returns: `errSecSuccess`; `errSecParam` if the buffer is too small; or another error code.
@discardableResult
public func SecKeyEncrypt(
  _ key: SecKey, _ padding: SecPadding, _ plainText: UnsafePointer<UInt8>, _ plainTextLen: Int,
  _ cipherText: UnsafeMutablePointer<UInt8>, _ cipherTextLen: UnsafeMutablePointer<Int>
) -> OSStatus {
  guard let algorithm = padding.encryption(by: key) else { return errSecParam }
  return olderCall(cipherText, cipherTextLen) {
    SecKeyCreateEncryptedData(key, algorithm, NSData(bytes: plainText, length: plainTextLen), $0)
  }
}

/// Decrypts data with an RSA private key. This is the older form of
/// ``SecKeyCreateDecryptedData(_:_:_:_:)``.
///
/// - Parameter plainTextLen: The size of the buffer in bytes. The call changes this to the size of
///   the plaintext.
/// - Returns: `errSecSuccess`; `errSecParam` if the buffer is too small; or another error code.
@discardableResult
public func SecKeyDecrypt(
  _ key: SecKey, _ padding: SecPadding, _ cipherText: UnsafePointer<UInt8>, _ cipherTextLen: Int,
  _ plainText: UnsafeMutablePointer<UInt8>, _ plainTextLen: UnsafeMutablePointer<Int>
) -> OSStatus {
  guard let algorithm = padding.encryption(by: key) else { return errSecParam }
  return olderCall(plainText, plainTextLen) {
    SecKeyCreateDecryptedData(
      key, algorithm, NSData(bytes: cipherText, length: cipherTextLen), $0)
  }
}

/// Copies a result into a buffer. Returns an error code if there is no result or the buffer is too
/// small.
private func olderCall(
  _ buffer: UnsafeMutablePointer<UInt8>?, _ size: UnsafeMutablePointer<Int>?,
  _ body: (UnsafeMutablePointer<Unmanaged<CFError>?>) -> CFData?
) -> OSStatus {
  var error: Unmanaged<CFError>?
  guard let result = body(&error) else {
    let code = error.map { OSStatus($0.takeRetainedValue().code) } ?? errSecInternalError
    // -9809 is errSSLCrypto, which another header defines. The older calls return this code for a
    // signature that is not valid.
    return code == errSecVerifyFailed ? -9809 : code
  }
  guard let buffer, let size else { return errSecSuccess }
  guard result.length <= size.pointee else { return errSecParam }
  result.getBytes(buffer, length: result.length)
  size.pointee = result.length
  return errSecSuccess
}
