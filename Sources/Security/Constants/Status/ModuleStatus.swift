// Status codes of cryptographic modules, which Apple inherited from CSSM.

/// The library has not been initialized.
public let errSecNotInitialized: OSStatus = -67667
/// The handle cannot be used for this operation.
public let errSecInvalidHandleUsage: OSStatus = -67668
/// The calling module was not found among the authorized callers.
public let errSecPVCReferentNotFound: OSStatus = -67669
/// The integrity of the function could not be verified.
public let errSecFunctionIntegrityFail: OSStatus = -67670
/// An internal error occurred.
public let errSecInternalError: OSStatus = -67671
/// A memory error occurred.
public let errSecMemoryError: OSStatus = -67672
/// The data is invalid.
public let errSecInvalidData: OSStatus = -67673
/// The module directory service failed.
public let errSecMDSError: OSStatus = -67674
/// A pointer is invalid.
public let errSecInvalidPointer: OSStatus = -67675
/// The module's self-check failed.
public let errSecSelfCheckFailed: OSStatus = -67676
/// The function failed.
public let errSecFunctionFailed: OSStatus = -67677
/// The module's manifest could not be verified.
public let errSecModuleManifestVerifyFailed: OSStatus = -67678
/// The GUID is invalid.
public let errSecInvalidGUID: OSStatus = -67679
/// The handle is invalid.
public let errSecInvalidHandle: OSStatus = -67680
/// The database list is invalid.
public let errSecInvalidDBList: OSStatus = -67681
/// The passthrough ID is invalid.
public let errSecInvalidPassthroughID: OSStatus = -67682
/// The network address is invalid.
public let errSecInvalidNetworkAddress: OSStatus = -67683
/// The revocation list is already signed.
public let errSecCRLAlreadySigned: OSStatus = -67684
/// The number of fields is wrong.
public let errSecInvalidNumberOfFields: OSStatus = -67685
/// The verification failed.
public let errSecVerificationFailure: OSStatus = -67686
/// The tag is unknown.
public let errSecUnknownTag: OSStatus = -67687
/// The signature is invalid.
public let errSecInvalidSignature: OSStatus = -67688
/// The name is invalid.
public let errSecInvalidName: OSStatus = -67689
/// The certificate's reference is invalid.
public let errSecInvalidCertificateRef: OSStatus = -67690
/// The group of certificates is invalid.
public let errSecInvalidCertificateGroup: OSStatus = -67691
/// The tag was not found.
public let errSecTagNotFound: OSStatus = -67692
/// The query is invalid.
public let errSecInvalidQuery: OSStatus = -67693
/// The value is invalid.
public let errSecInvalidValue: OSStatus = -67694
/// The callback failed.
public let errSecCallbackFailed: OSStatus = -67695
/// The access list could not be deleted.
public let errSecACLDeleteFailed: OSStatus = -67696
/// The access list could not be replaced.
public let errSecACLReplaceFailed: OSStatus = -67697
/// An entry could not be added to the access list.
public let errSecACLAddFailed: OSStatus = -67698
/// The access list could not be changed.
public let errSecACLChangeFailed: OSStatus = -67699
/// The access credentials are invalid.
public let errSecInvalidAccessCredentials: OSStatus = -67700
/// The record is invalid.
public let errSecInvalidRecord: OSStatus = -67701
/// The access list is invalid.
public let errSecInvalidACL: OSStatus = -67702
/// The sample value is invalid.
public let errSecInvalidSampleValue: OSStatus = -67703
/// The versions are incompatible.
public let errSecIncompatibleVersion: OSStatus = -67704
/// The privilege was not granted.
public let errSecPrivilegeNotGranted: OSStatus = -67705
/// The scope is invalid.
public let errSecInvalidScope: OSStatus = -67706
/// Pointer validation is already configured.
public let errSecPVCAlreadyConfigured: OSStatus = -67707
/// The pointer validation setting is invalid.
public let errSecInvalidPVC: OSStatus = -67708
/// The module manager could not be loaded.
public let errSecEMMLoadFailed: OSStatus = -67709
/// The module manager could not be unloaded.
public let errSecEMMUnloadFailed: OSStatus = -67710
/// The add-in could not be loaded.
public let errSecAddinLoadFailed: OSStatus = -67711
/// The key's reference is invalid.
public let errSecInvalidKeyRef: OSStatus = -67712
/// The key hierarchy is invalid.
public let errSecInvalidKeyHierarchy: OSStatus = -67713
/// The add-in could not be unloaded.
public let errSecAddinUnloadFailed: OSStatus = -67714
/// The library reference was not found.
public let errSecLibraryReferenceNotFound: OSStatus = -67715
/// The add-in's function table is invalid.
public let errSecInvalidAddinFunctionTable: OSStatus = -67716
/// The service mask is invalid.
public let errSecInvalidServiceMask: OSStatus = -67717
/// The module is not loaded.
public let errSecModuleNotLoaded: OSStatus = -67718
/// The subservice ID is invalid.
public let errSecInvalidSubServiceID: OSStatus = -67719
/// The context lacks an attribute.
public let errSecAttributeNotInContext: OSStatus = -67720
/// The module manager could not be initialized.
public let errSecModuleManagerInitializeFailed: OSStatus = -67721
/// The module manager was not found.
public let errSecModuleManagerNotFound: OSStatus = -67722
/// The event notification callback was not found.
public let errSecEventNotificationCallbackNotFound: OSStatus = -67723
/// The input has the wrong length.
public let errSecInputLengthError: OSStatus = -67724
/// The output has the wrong length.
public let errSecOutputLengthError: OSStatus = -67725
/// The privilege is not supported.
public let errSecPrivilegeNotSupported: OSStatus = -67726
/// The device reports an error.
public let errSecDeviceError: OSStatus = -67727
/// The handle is in use.
public let errSecAttachHandleBusy: OSStatus = -67728
/// No user is logged in.
public let errSecNotLoggedIn: OSStatus = -67729
/// The key's algorithm does not match.
public let errSecAlgorithmMismatch: OSStatus = -67730
/// The key cannot be used for this purpose.
public let errSecKeyUsageIncorrect: OSStatus = -67731
/// The key's record has the wrong type.
public let errSecKeyBlobTypeIncorrect: OSStatus = -67732
/// The key's header is inconsistent.
public let errSecKeyHeaderInconsistent: OSStatus = -67733
/// Keys of this format are not supported.
public let errSecUnsupportedKeyFormat: OSStatus = -67734
/// Keys of this size are not supported.
public let errSecUnsupportedKeySize: OSStatus = -67735
/// The key usage mask is invalid.
public let errSecInvalidKeyUsageMask: OSStatus = -67736
/// Some of the key's uses are not supported.
public let errSecUnsupportedKeyUsageMask: OSStatus = -67737
/// The key attribute mask is invalid.
public let errSecInvalidKeyAttributeMask: OSStatus = -67738
/// Some of the key's attributes are not supported.
public let errSecUnsupportedKeyAttributeMask: OSStatus = -67739
/// The key's label is invalid.
public let errSecInvalidKeyLabel: OSStatus = -67740
/// The key's label is not supported.
public let errSecUnsupportedKeyLabel: OSStatus = -67741
/// The key's format is invalid.
public let errSecInvalidKeyFormat: OSStatus = -67742
/// A vector of buffers is not supported.
public let errSecUnsupportedVectorOfBuffers: OSStatus = -67743
/// The input vector is invalid.
public let errSecInvalidInputVector: OSStatus = -67744
/// The output vector is invalid.
public let errSecInvalidOutputVector: OSStatus = -67745
/// The context is invalid.
public let errSecInvalidContext: OSStatus = -67746
/// The algorithm is invalid.
public let errSecInvalidAlgorithm: OSStatus = -67747

extension StatusMessages {
  static let module: [OSStatus: String] = [
    errSecNotInitialized: "The library has not been initialized.",
    errSecInvalidHandleUsage: "The handle cannot be used for this operation.",
    errSecPVCReferentNotFound: "The calling module was not found among the authorized callers.",
    errSecFunctionIntegrityFail: "The integrity of the function could not be verified.",
    errSecInternalError: "An internal error occurred.",
    errSecMemoryError: "A memory error occurred.",
    errSecInvalidData: "The data is invalid.",
    errSecMDSError: "The module directory service failed.",
    errSecInvalidPointer: "A pointer is invalid.",
    errSecSelfCheckFailed: "The module's self-check failed.",
    errSecFunctionFailed: "The function failed.",
    errSecModuleManifestVerifyFailed: "The module's manifest could not be verified.",
    errSecInvalidGUID: "The GUID is invalid.",
    errSecInvalidHandle: "The handle is invalid.",
    errSecInvalidDBList: "The database list is invalid.",
    errSecInvalidPassthroughID: "The passthrough ID is invalid.",
    errSecInvalidNetworkAddress: "The network address is invalid.",
    errSecCRLAlreadySigned: "The revocation list is already signed.",
    errSecInvalidNumberOfFields: "The number of fields is wrong.",
    errSecVerificationFailure: "The verification failed.",
    errSecUnknownTag: "The tag is unknown.",
    errSecInvalidSignature: "The signature is invalid.",
    errSecInvalidName: "The name is invalid.",
    errSecInvalidCertificateRef: "The certificate's reference is invalid.",
    errSecInvalidCertificateGroup: "The group of certificates is invalid.",
    errSecTagNotFound: "The tag was not found.",
    errSecInvalidQuery: "The query is invalid.",
    errSecInvalidValue: "The value is invalid.",
    errSecCallbackFailed: "The callback failed.",
    errSecACLDeleteFailed: "The access list could not be deleted.",
    errSecACLReplaceFailed: "The access list could not be replaced.",
    errSecACLAddFailed: "An entry could not be added to the access list.",
    errSecACLChangeFailed: "The access list could not be changed.",
    errSecInvalidAccessCredentials: "The access credentials are invalid.",
    errSecInvalidRecord: "The record is invalid.",
    errSecInvalidACL: "The access list is invalid.",
    errSecInvalidSampleValue: "The sample value is invalid.",
    errSecIncompatibleVersion: "The versions are incompatible.",
    errSecPrivilegeNotGranted: "The privilege was not granted.",
    errSecInvalidScope: "The scope is invalid.",
    errSecPVCAlreadyConfigured: "Pointer validation is already configured.",
    errSecInvalidPVC: "The pointer validation setting is invalid.",
    errSecEMMLoadFailed: "The module manager could not be loaded.",
    errSecEMMUnloadFailed: "The module manager could not be unloaded.",
    errSecAddinLoadFailed: "The add-in could not be loaded.",
    errSecInvalidKeyRef: "The key's reference is invalid.",
    errSecInvalidKeyHierarchy: "The key hierarchy is invalid.",
    errSecAddinUnloadFailed: "The add-in could not be unloaded.",
    errSecLibraryReferenceNotFound: "The library reference was not found.",
    errSecInvalidAddinFunctionTable: "The add-in's function table is invalid.",
    errSecInvalidServiceMask: "The service mask is invalid.",
    errSecModuleNotLoaded: "The module is not loaded.",
    errSecInvalidSubServiceID: "The subservice ID is invalid.",
    errSecAttributeNotInContext: "The context lacks an attribute.",
    errSecModuleManagerInitializeFailed: "The module manager could not be initialized.",
    errSecModuleManagerNotFound: "The module manager was not found.",
    errSecEventNotificationCallbackNotFound: "The event notification callback was not found.",
    errSecInputLengthError: "The input has the wrong length.",
    errSecOutputLengthError: "The output has the wrong length.",
    errSecPrivilegeNotSupported: "The privilege is not supported.",
    errSecDeviceError: "The device reports an error.",
    errSecAttachHandleBusy: "The handle is in use.",
    errSecNotLoggedIn: "No user is logged in.",
    errSecAlgorithmMismatch: "The key's algorithm does not match.",
    errSecKeyUsageIncorrect: "The key cannot be used for this purpose.",
    errSecKeyBlobTypeIncorrect: "The key's record has the wrong type.",
    errSecKeyHeaderInconsistent: "The key's header is inconsistent.",
    errSecUnsupportedKeyFormat: "Keys of this format are not supported.",
    errSecUnsupportedKeySize: "Keys of this size are not supported.",
    errSecInvalidKeyUsageMask: "The key usage mask is invalid.",
    errSecUnsupportedKeyUsageMask: "Some of the key's uses are not supported.",
    errSecInvalidKeyAttributeMask: "The key attribute mask is invalid.",
    errSecUnsupportedKeyAttributeMask: "Some of the key's attributes are not supported.",
    errSecInvalidKeyLabel: "The key's label is invalid.",
    errSecUnsupportedKeyLabel: "The key's label is not supported.",
    errSecInvalidKeyFormat: "The key's format is invalid.",
    errSecUnsupportedVectorOfBuffers: "A vector of buffers is not supported.",
    errSecInvalidInputVector: "The input vector is invalid.",
    errSecInvalidOutputVector: "The output vector is invalid.",
    errSecInvalidContext: "The context is invalid.",
    errSecInvalidAlgorithm: "The algorithm is invalid.",
  ]
}
