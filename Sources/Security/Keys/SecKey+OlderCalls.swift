import Foundation

/// Signs a digest: ``SecKeyCreateSignature(_:_:_:_:)`` in its older form.
///
/// - Parameters:
///   - padding: Which digest it is (RSA), or the form of the signature (curves).
///   - sigLen: The size of the buffer, and then of the signature.
/// - Returns: `errSecParam` also where the buffer is too small.
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

/// Verifies the signature of a digest: ``SecKeyVerifySignature(_:_:_:_:_:)`` in its older form.
///
/// - Returns: `errSSLCrypto` (-9809) where the signature is not the key's.
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

/// Encrypts to an RSA key: ``SecKeyCreateEncryptedData(_:_:_:_:)`` in its older form.
///
/// - Parameter cipherTextLen: The size of the buffer, and then of the ciphertext.
/// - Returns: `errSecParam` also where the buffer is too small.
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

/// Decrypts with an RSA key: ``SecKeyCreateDecryptedData(_:_:_:_:)`` in its older form.
///
/// - Parameter plainTextLen: The size of the buffer, and then of the plaintext.
/// - Returns: `errSecParam` also where the buffer is too small.
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

/// Copies a result into a buffer, or gives the code of the error.
private func olderCall(
  _ buffer: UnsafeMutablePointer<UInt8>?, _ size: UnsafeMutablePointer<Int>?,
  _ body: (UnsafeMutablePointer<Unmanaged<CFError>?>) -> CFData?
) -> OSStatus {
  var error: Unmanaged<CFError>?
  guard let result = body(&error) else {
    let code = error.map { OSStatus($0.takeRetainedValue().code) } ?? errSecInternalError
    // errSSLCrypto, of another header: what signatures that did not verify gave in these calls.
    return code == errSecVerifyFailed ? -9809 : code
  }
  guard let buffer, let size else { return errSecSuccess }
  guard result.length <= size.pointee else { return errSecParam }
  result.getBytes(buffer, length: result.length)
  size.pointee = result.length
  return errSecSuccess
}
