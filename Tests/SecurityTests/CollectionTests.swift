import Security
import Testing

/// Tests collections by pointers, and that `import Security` alone brings Foundation's types along.
@Suite struct CollectionTests {
  private func pointer(_ object: AnyObject) -> UnsafeRawPointer {
    UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
  }

  private func object(_ pointer: UnsafeRawPointer?) -> AnyObject? {
    pointer.map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
  }

  @Test func aDictionaryHoldsObjects() {
    let dictionary = CFDictionaryCreateMutable(
      nil, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks)
    CFDictionarySetValue(dictionary, pointer(kSecClass), pointer(kSecClassKey))
    #expect(CFDictionaryGetCount(dictionary) == 1)
    #expect(object(CFDictionaryGetValue(dictionary, pointer(kSecClass))) as? String == "keys")
    #expect(CFDictionaryGetValue(dictionary, pointer(kSecAttrLabel)) == nil)
  }

  @Test func anArrayHoldsObjects() {
    let data = Data([1]) as CFData
    var values: [UnsafeRawPointer?] = [pointer(kSecClass), pointer(data)]
    let array = CFArrayCreate(nil, &values, 2, &kCFTypeArrayCallBacks)
    #expect(CFArrayGetCount(array) == 2)
    #expect(object(CFArrayGetValueAtIndex(array, 1)) as? Data == Data([1]))
  }

  @Test func valuesAreBridged() {
    #expect(CFBridgingRetain("text") as? String == "text")
    #expect(CFBridgingRelease("text" as CFString) as? String == "text")
    let code: FourCharCode = 0x6765_6e70
    #expect(OSType(code) == code)
    #expect(kCFBundleIdentifierKey as String? == "CFBundleIdentifier")
  }
}
