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

  @Test func aDictionaryIsMadeOfPointersAndChanged() throws {
    let (account, label) = (pointer(kSecAttrAccount), pointer(kSecAttrLabel))
    var keys: [UnsafeRawPointer?] = [account]
    var values: [UnsafeRawPointer?] = [pointer(kSecClass)]
    let made = CFDictionaryCreate(
      nil, &keys, &values, 1, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks)
    #expect(made as? [String: String] == ["acct": "class"])
    let copy = CFDictionaryCreateMutableCopy(nil, 0, made)
    CFDictionaryAddValue(copy, account, label)
    CFDictionaryReplaceValue(copy, label, account)
    #expect(copy as? [String: String] == ["acct": "class"])
    CFDictionaryAddValue(copy, label, label)
    CFDictionaryReplaceValue(copy, account, label)
    #expect(copy as? [String: String] == ["acct": "labl", "labl": "labl"])
    var found: UnsafeRawPointer?
    #expect(CFDictionaryGetValueIfPresent(copy, label, &found))
    #expect(object(found) as? String == "labl")
    CFDictionaryRemoveValue(copy, label)
    #expect(!CFDictionaryContainsKey(copy, label))
    CFDictionaryRemoveAllValues(copy)
    #expect(CFDictionaryGetCount(copy) == 0)
    #expect(CFDictionaryGetCount(made) == 1)
  }

  @Test func anArrayIsChanged() {
    let array = CFArrayCreateMutable(nil, 0, &kCFTypeArrayCallBacks)
    CFArrayAppendValue(array, pointer(kSecClass))
    CFArrayAppendValue(array, pointer(kSecAttrLabel))
    #expect(CFArrayCreateCopy(nil, array) as? [String] == ["class", "labl"])
    CFArrayRemoveValueAtIndex(array, 0)
    #expect(CFArrayCreateMutableCopy(nil, 0, array) as? [String] == ["labl"])
    CFArrayRemoveAllValues(array)
    #expect(CFArrayGetCount(array) == 0)
  }

  /// A value that is read again and again has one object. It is released at the first call of Keychain
  /// Services after the end of its collection.
  @Test func aPointerDoesNotOutliveItsCollection() throws {
    weak var lent: AnyObject?
    weak var element: AnyObject?
    do {
      let dictionary = [kSecValueData: Data("s3cr3t".utf8)] as NSDictionary
      let first = CFDictionaryGetValue(dictionary, pointer(kSecValueData))
      for _ in 0..<9 {
        #expect(CFDictionaryGetValue(dictionary, pointer(kSecValueData)) == first)
      }
      lent = object(first)
      #expect(lent as? Data == Data("s3cr3t".utf8))
      let array = [Data("s3cr3t".utf8)] as NSArray
      element = object(CFArrayGetValueAtIndex(array, 0))
      #expect(element != nil)
    }
    SecItemCopyMatching([:] as NSDictionary, nil)
    #expect(lent == nil)
    #expect(element == nil)
  }

  @Test func aChangedValueHasANewPointer() {
    let dictionary = [kSecAttrLabel: "old"] as NSMutableDictionary
    #expect(object(CFDictionaryGetValue(dictionary, pointer(kSecAttrLabel))) as? String == "old")
    dictionary[kSecAttrLabel] = "new"
    #expect(object(CFDictionaryGetValue(dictionary, pointer(kSecAttrLabel))) as? String == "new")
  }

  /// Equal objects of different types are different values, and a pointer stays valid if its element moves.
  @Test func aPointerStaysValidAfterChanges() {
    let dictionary = [kSecAttrLabel: 1] as NSMutableDictionary
    let key = pointer(kSecAttrLabel)
    _ = CFDictionaryGetValue(dictionary, key)
    dictionary[kSecAttrLabel] = kCFBooleanTrue
    #expect(CFGetTypeID(object(CFDictionaryGetValue(dictionary, key))) == CFBooleanGetTypeID())
    let array = ["a", "b", "c"] as NSMutableArray
    let second = CFArrayGetValueAtIndex(array, 1)
    CFArrayRemoveValueAtIndex(array, 0)
    withExtendedLifetime(array) {
      #expect(object(CFArrayGetValueAtIndex(array, 1)) as? String == "c")
      #expect(object(second) as? String == "b")
    }
  }

  @Test func valuesAreBridged() {
    #expect(CFBridgingRetain("text") as? String == "text")
    #expect(CFBridgingRelease("text" as CFString) as? String == "text")
    let code: FourCharCode = 0x6765_6e70
    #expect(OSType(code) == code)
    #expect(kCFBundleIdentifierKey as String? == "CFBundleIdentifier")
  }
}
