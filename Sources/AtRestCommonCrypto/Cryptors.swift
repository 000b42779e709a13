@_spi(Tools) import AtRestCrypto
import CommonCrypto
import Foundation

// The calls of CommonCryptor.h.

/// Runs a closure, and returns its status or that of the failure that it throws.
private func status(_ body: () throws -> Int) -> CCCryptorStatus {
  do {
    return CCCryptorStatus(try body())
  } catch let failure as Cryptor.Failure {
    return CCCryptorStatus(failure.status)
  } catch {
    CommonCryptoLog.refuse("CCCryptor", "\(error)")
    return CCCryptorStatus(kCCUnspecifiedError)
  }
}

private func cryptor(_ reference: CCCryptorRef?) -> Cryptor? {
  reference.map { Unmanaged<Cryptor>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue() }
}

private func mode(_ options: CCOptions) -> CCMode {
  CCMode(Int(options) & kCCOptionECBMode != 0 ? kCCModeECB : kCCModeCBC)
}

private func padding(_ options: CCOptions) -> CCPadding {
  CCPadding(Int(options) & kCCOptionPKCS7Padding != 0 ? ccPKCS7Padding : ccNoPadding)
}

/// Copies bytes to a buffer that is large enough, and erases them.
private func move(_ data: inout Data, to output: UnsafeMutableRawPointer?) {
  data.withUnsafeMutableBytes { bytes in
    if let output {
      UnsafeMutableRawBufferPointer(start: output, count: bytes.count)
        .copyMemory(from: UnsafeRawBufferPointer(bytes))
    }
    bytes.erase()
  }
}

@_cdecl("CCCrypt") func crypt(
  _ operation: CCOperation, _ algorithm: CCAlgorithm, _ options: CCOptions,
  _ key: UnsafeRawPointer?, _ keyCount: Int, _ iv: UnsafeRawPointer?, _ input: UnsafeRawPointer?,
  _ inputCount: Int, _ output: UnsafeMutableRawPointer?, _ available: Int,
  _ moved: UnsafeMutablePointer<Int>?
) -> CCCryptorStatus {
  status {
    let cryptor = try Cryptor(
      "CCCrypt", operation: operation, mode: mode(options), algorithm: algorithm,
      padding: padding(options), iv: iv, key: key, keyCount: keyCount)
    let input = UnsafeRawBufferPointer(start: input, count: input == nil ? 0 : inputCount)
    let needed = cryptor.outputCount(input.count, isFinal: true)
    moved?.pointee = needed
    guard needed <= available, output != nil || needed == 0 else { return kCCBufferTooSmall }
    var first = try cryptor.update(input)
    move(&first, to: output)
    moved?.pointee = first.count
    guard var last = try cryptor.finish(in: available - first.count) else {
      return kCCBufferTooSmall
    }
    move(&last, to: output.map { $0 + first.count })
    moved?.pointee = first.count + last.count
    return kCCSuccess
  }
}

@_cdecl("CCCryptorCreateWithMode") func createCryptor(
  _ operation: CCOperation, _ mode: CCMode, _ algorithm: CCAlgorithm, _ padding: CCPadding,
  _ iv: UnsafeRawPointer?, _ key: UnsafeRawPointer?, _ keyCount: Int, _ tweak: UnsafeRawPointer?,
  _ tweakCount: Int, _ rounds: Int32, _ options: CCModeOptions,
  _ reference: UnsafeMutablePointer<CCCryptorRef?>?
) -> CCCryptorStatus {
  status {
    guard let reference else { return kCCParamError }
    reference.pointee = nil
    let cryptor = try Cryptor(
      "CCCryptorCreate", operation: operation, mode: mode, algorithm: algorithm, padding: padding,
      iv: iv, key: key, keyCount: keyCount)
    reference.pointee = CCCryptorRef(Unmanaged.passRetained(cryptor).toOpaque())
    return kCCSuccess
  }
}

@_cdecl("CCCryptorCreate") func createCryptor(
  _ operation: CCOperation, _ algorithm: CCAlgorithm, _ options: CCOptions,
  _ key: UnsafeRawPointer?, _ keyCount: Int, _ iv: UnsafeRawPointer?,
  _ reference: UnsafeMutablePointer<CCCryptorRef?>?
) -> CCCryptorStatus {
  createCryptor(
    operation, mode(options), algorithm, padding(options), iv, key, keyCount, nil, 0, 0,
    0, reference)
}

@_cdecl("CCCryptorCreateFromData") func createCryptor(
  _ operation: CCOperation, _ algorithm: CCAlgorithm, _ options: CCOptions,
  _ key: UnsafeRawPointer?, _ keyCount: Int, _ iv: UnsafeRawPointer?, _ memory: UnsafeRawPointer?,
  _ memoryCount: Int, _ reference: UnsafeMutablePointer<CCCryptorRef?>?,
  _ used: UnsafeMutablePointer<Int>?
) -> CCCryptorStatus {
  used?.pointee = kCCContextSizeAES128
  guard memoryCount >= kCCContextSizeAES128 else { return CCCryptorStatus(kCCBufferTooSmall) }
  return createCryptor(operation, algorithm, options, key, keyCount, iv, reference)
}

@_cdecl("CCCryptorRelease") func release(_ reference: CCCryptorRef?) -> CCCryptorStatus {
  if let reference {
    Unmanaged<Cryptor>.fromOpaque(UnsafeRawPointer(reference)).release()
  }
  return CCCryptorStatus(kCCSuccess)
}

@_cdecl("CCCryptorUpdate") func update(
  _ reference: CCCryptorRef?, _ input: UnsafeRawPointer?, _ inputCount: Int,
  _ output: UnsafeMutableRawPointer?, _ available: Int, _ moved: UnsafeMutablePointer<Int>?
) -> CCCryptorStatus {
  status {
    guard let cryptor = cryptor(reference) else { return kCCParamError }
    moved?.pointee = 0
    guard let input, inputCount > 0 else { return kCCSuccess }
    let needed = cryptor.outputCount(inputCount, isFinal: false)
    guard needed <= available else {
      moved?.pointee = needed
      return kCCBufferTooSmall
    }
    var data = try cryptor.update(UnsafeRawBufferPointer(start: input, count: inputCount))
    move(&data, to: output)
    moved?.pointee = data.count
    return kCCSuccess
  }
}

@_cdecl("CCCryptorFinal") func finish(
  _ reference: CCCryptorRef?, _ output: UnsafeMutableRawPointer?, _ available: Int,
  _ moved: UnsafeMutablePointer<Int>?
) -> CCCryptorStatus {
  status {
    guard let cryptor = cryptor(reference) else { return kCCSuccess }
    moved?.pointee = 0
    // A buffer that is too small changes nothing, so the call can be repeated.
    guard var data = try cryptor.finish(in: available) else { return kCCBufferTooSmall }
    move(&data, to: output)
    moved?.pointee = data.count
    return kCCSuccess
  }
}

@_cdecl("CCCryptorGetOutputLength") func outputCount(
  _ reference: CCCryptorRef?, _ inputCount: Int, _ isFinal: Bool
) -> Int {
  cryptor(reference)?.outputCount(inputCount, isFinal: isFinal) ?? kCCParamError
}

@_cdecl("CCCryptorReset") func reset(
  _ reference: CCCryptorRef?, _ iv: UnsafeRawPointer?
) -> CCCryptorStatus {
  CCCryptorStatus(cryptor(reference)?.reset(iv) ?? kCCParamError)
}
