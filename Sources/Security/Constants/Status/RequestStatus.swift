// Status codes of requests, verification and timestamps.

/// An operation in steps is under way.
public let errSecStagedOperationInProgress: OSStatus = -67806
/// No operation in steps was started.
public let errSecStagedOperationNotStarted: OSStatus = -67807
/// What was to be verified does not verify.
public let errSecVerifyFailed: OSStatus = -67808
/// The size of the result is not known.
public let errSecQuerySizeUnknown: OSStatus = -67809
/// The block size does not fit.
public let errSecBlockSizeMismatch: OSStatus = -67810
/// The public key does not fit.
public let errSecPublicKeyInconsistent: OSStatus = -67811
/// The device does not verify.
public let errSecDeviceVerifyFailed: OSStatus = -67812
/// The name to log in with is invalid.
public let errSecInvalidLoginName: OSStatus = -67813
/// Somebody is logged in already.
public let errSecAlreadyLoggedIn: OSStatus = -67814
/// The digest algorithm is invalid.
public let errSecInvalidDigestAlgorithm: OSStatus = -67815
/// The group of revocation lists is invalid.
public let errSecInvalidCRLGroup: OSStatus = -67816
/// The certificate cannot do this.
public let errSecCertificateCannotOperate: OSStatus = -67817
/// The certificate has expired.
public let errSecCertificateExpired: OSStatus = -67818
/// The certificate is valid later only.
public let errSecCertificateNotValidYet: OSStatus = -67819
/// The certificate has been revoked.
public let errSecCertificateRevoked: OSStatus = -67820
/// The certificate is suspended.
public let errSecCertificateSuspended: OSStatus = -67821
/// The credentials do not suffice.
public let errSecInsufficientCredentials: OSStatus = -67822
/// The action is invalid.
public let errSecInvalidAction: OSStatus = -67823
/// The authority is invalid.
public let errSecInvalidAuthority: OSStatus = -67824
/// The action to verify failed.
public let errSecVerifyActionFailed: OSStatus = -67825
/// The certificates' authority is invalid.
public let errSecInvalidCertAuthority: OSStatus = -67826
/// The revocation lists' authority is invalid.
public let errSecInvalidCRLAuthority: OSStatus = -67827
/// The former spelling of ``errSecInvalidCRLAuthority``.
@available(*, deprecated, renamed: "errSecInvalidCRLAuthority")
public let errSecInvaldCRLAuthority: OSStatus = errSecInvalidCRLAuthority
/// The revocation list's encoding is invalid.
public let errSecInvalidCRLEncoding: OSStatus = -67828
/// The revocation list's type is invalid.
public let errSecInvalidCRLType: OSStatus = -67829
/// The revocation list is invalid.
public let errSecInvalidCRL: OSStatus = -67830
/// The form's type is invalid.
public let errSecInvalidFormType: OSStatus = -67831
/// The number that identifies it is invalid.
public let errSecInvalidID: OSStatus = -67832
/// The identifier is invalid.
public let errSecInvalidIdentifier: OSStatus = -67833
/// The index is invalid.
public let errSecInvalidIndex: OSStatus = -67834
/// The policies' identifiers are invalid.
public let errSecInvalidPolicyIdentifiers: OSStatus = -67835
/// The time is not written as times are.
public let errSecInvalidTimeString: OSStatus = -67836
/// The reason that the policy gives is invalid.
public let errSecInvalidReason: OSStatus = -67837
/// The request's inputs are invalid.
public let errSecInvalidRequestInputs: OSStatus = -67838
/// The buffers for the response are invalid.
public let errSecInvalidResponseVector: OSStatus = -67839
/// The rule that says when to stop is invalid.
public let errSecInvalidStopOnPolicy: OSStatus = -67840
/// The tuple is invalid.
public let errSecInvalidTuple: OSStatus = -67841
/// There can be one value only.
public let errSecMultipleValuesUnsupported: OSStatus = -67842
/// Nothing vouches for the certificate.
public let errSecNotTrusted: OSStatus = -67843
/// No authority is the default one.
public let errSecNoDefaultAuthority: OSStatus = -67844
/// The form was rejected.
public let errSecRejectedForm: OSStatus = -67845
/// The request got lost.
public let errSecRequestLost: OSStatus = -67846
/// The request was refused.
public let errSecRequestRejected: OSStatus = -67847
/// Addresses of this type are not supported.
public let errSecUnsupportedAddressType: OSStatus = -67848
/// There is no such service.
public let errSecUnsupportedService: OSStatus = -67849
/// The group of tuples is invalid.
public let errSecInvalidTupleGroup: OSStatus = -67850
/// The access lists to begin with are invalid.
public let errSecInvalidBaseACLs: OSStatus = -67851
/// The tuples' credentials are invalid.
public let errSecInvalidTupleCredentials: OSStatus = -67852
/// The former spelling of ``errSecInvalidTupleCredentials``.
@available(*, deprecated, renamed: "errSecInvalidTupleCredentials")
public let errSecInvalidTupleCredendtials: OSStatus = errSecInvalidTupleCredentials
/// The encoding is invalid.
public let errSecInvalidEncoding: OSStatus = -67853
/// The time of validity is invalid.
public let errSecInvalidValidityPeriod: OSStatus = -67854
/// Who asks is invalid.
public let errSecInvalidRequestor: OSStatus = -67855
/// The request's description is invalid.
public let errSecRequestDescriptor: OSStatus = -67856
/// The bundle's information is invalid.
public let errSecInvalidBundleInfo: OSStatus = -67857
/// The index into the revocation list is invalid.
public let errSecInvalidCRLIndex: OSStatus = -67858
/// The fields have no values.
public let errSecNoFieldValues: OSStatus = -67859
/// Fields of this format are not supported.
public let errSecUnsupportedFieldFormat: OSStatus = -67860
/// Such an index is not supported.
public let errSecUnsupportedIndexInfo: OSStatus = -67861
/// Such a locality is not supported.
public let errSecUnsupportedLocality: OSStatus = -67862
/// So many attributes are not supported.
public let errSecUnsupportedNumAttributes: OSStatus = -67863
/// So many indexes are not supported.
public let errSecUnsupportedNumIndexes: OSStatus = -67864
/// So many types of records are not supported.
public let errSecUnsupportedNumRecordTypes: OSStatus = -67865
/// A field was given more than once.
public let errSecFieldSpecifiedMultiple: OSStatus = -67866
/// The field is of another format.
public let errSecIncompatibleFieldFormat: OSStatus = -67867
/// The module that parses is invalid.
public let errSecInvalidParsingModule: OSStatus = -67868
/// The database is locked by another.
public let errSecDatabaseLocked: OSStatus = -67869
/// The store is open.
public let errSecDatastoreIsOpen: OSStatus = -67870
/// A value is missing.
public let errSecMissingValue: OSStatus = -67871
/// Such limits of a query are not supported.
public let errSecUnsupportedQueryLimits: OSStatus = -67872
/// So many conditions of a query are not supported.
public let errSecUnsupportedNumSelectionPreds: OSStatus = -67873
/// There is no such operator.
public let errSecUnsupportedOperator: OSStatus = -67874
/// The database cannot be where it is said to be.
public let errSecInvalidDBLocation: OSStatus = -67875
/// The request for access is invalid.
public let errSecInvalidAccessRequest: OSStatus = -67876
/// The description of the index is invalid.
public let errSecInvalidIndexInfo: OSStatus = -67877
/// The new owner is invalid.
public let errSecInvalidNewOwner: OSStatus = -67878
/// The way to change records is invalid.
public let errSecInvalidModifyMode: OSStatus = -67879
/// The certificate lacks an extension that it must have.
public let errSecMissingRequiredExtension: OSStatus = -67880
/// The extended key usage is not critical.
public let errSecExtendedKeyUsageNotCritical: OSStatus = -67881
/// There is no timestamp where one is due.
public let errSecTimestampMissing: OSStatus = -67882
/// The timestamp is invalid.
public let errSecTimestampInvalid: OSStatus = -67883
/// Nothing vouches for the timestamp.
public let errSecTimestampNotTrusted: OSStatus = -67884
/// The timestamp service does not answer.
public let errSecTimestampServiceNotAvailable: OSStatus = -67885
/// The timestamp service does not know the algorithm.
public let errSecTimestampBadAlg: OSStatus = -67886
/// The timestamp service does not do what was asked.
public let errSecTimestampBadRequest: OSStatus = -67887
/// The timestamp service could not read the request.
public let errSecTimestampBadDataFormat: OSStatus = -67888
/// The timestamp service does not know the time.
public let errSecTimestampTimeNotAvailable: OSStatus = -67889
/// The timestamp service does not follow the policy.
public let errSecTimestampUnacceptedPolicy: OSStatus = -67890
/// The timestamp service does not know the extension.
public let errSecTimestampUnacceptedExtension: OSStatus = -67891
/// The timestamp service cannot say more.
public let errSecTimestampAddInfoNotAvailable: OSStatus = -67892
/// The timestamp service failed.
public let errSecTimestampSystemFailure: OSStatus = -67893
/// The time of signing is not there.
public let errSecSigningTimeMissing: OSStatus = -67894
/// The timestamp service refused.
public let errSecTimestampRejection: OSStatus = -67895
/// The timestamp service has yet to answer.
public let errSecTimestampWaiting: OSStatus = -67896
/// The timestamp service's certificate is about to be revoked.
public let errSecTimestampRevocationWarning: OSStatus = -67897
/// The timestamp service's certificate has been revoked.
public let errSecTimestampRevocationNotification: OSStatus = -67898
/// The certificate's issuer does not allow the policy.
public let errSecCertificatePolicyNotAllowed: OSStatus = -67899
/// The certificate's issuer does not allow the name.
public let errSecCertificateNameNotAllowed: OSStatus = -67900
/// The certificate is valid for longer than allowed.
public let errSecCertificateValidityPeriodTooLong: OSStatus = -67901
/// The certificate is an authority's, where one of a person or host is due.
public let errSecCertificateIsCA: OSStatus = -67902
/// The certificate has an extension twice.
public let errSecCertificateDuplicateExtension: OSStatus = -67903
/// The certificate lacks the statement that qualifies it.
public let errSecMissingQualifiedCertStatement: OSStatus = -67904

extension StatusMessages {
  static let request: [OSStatus: String] = [
    errSecStagedOperationInProgress: "An operation in steps is under way.",
    errSecStagedOperationNotStarted: "No operation in steps was started.",
    errSecVerifyFailed: "What was to be verified does not verify.",
    errSecQuerySizeUnknown: "The size of the result is not known.",
    errSecBlockSizeMismatch: "The block size does not fit.",
    errSecPublicKeyInconsistent: "The public key does not fit.",
    errSecDeviceVerifyFailed: "The device does not verify.",
    errSecInvalidLoginName: "The name to log in with is invalid.",
    errSecAlreadyLoggedIn: "Somebody is logged in already.",
    errSecInvalidDigestAlgorithm: "The digest algorithm is invalid.",
    errSecInvalidCRLGroup: "The group of revocation lists is invalid.",
    errSecCertificateCannotOperate: "The certificate cannot do this.",
    errSecCertificateExpired: "The certificate has expired.",
    errSecCertificateNotValidYet: "The certificate is valid later only.",
    errSecCertificateRevoked: "The certificate has been revoked.",
    errSecCertificateSuspended: "The certificate is suspended.",
    errSecInsufficientCredentials: "The credentials do not suffice.",
    errSecInvalidAction: "The action is invalid.",
    errSecInvalidAuthority: "The authority is invalid.",
    errSecVerifyActionFailed: "The action to verify failed.",
    errSecInvalidCertAuthority: "The certificates' authority is invalid.",
    errSecInvalidCRLAuthority: "The revocation lists' authority is invalid.",
    errSecInvalidCRLEncoding: "The revocation list's encoding is invalid.",
    errSecInvalidCRLType: "The revocation list's type is invalid.",
    errSecInvalidCRL: "The revocation list is invalid.",
    errSecInvalidFormType: "The form's type is invalid.",
    errSecInvalidID: "The number that identifies it is invalid.",
    errSecInvalidIdentifier: "The identifier is invalid.",
    errSecInvalidIndex: "The index is invalid.",
    errSecInvalidPolicyIdentifiers: "The policies' identifiers are invalid.",
    errSecInvalidTimeString: "The time is not written as times are.",
    errSecInvalidReason: "The reason that the policy gives is invalid.",
    errSecInvalidRequestInputs: "The request's inputs are invalid.",
    errSecInvalidResponseVector: "The buffers for the response are invalid.",
    errSecInvalidStopOnPolicy: "The rule that says when to stop is invalid.",
    errSecInvalidTuple: "The tuple is invalid.",
    errSecMultipleValuesUnsupported: "There can be one value only.",
    errSecNotTrusted: "Nothing vouches for the certificate.",
    errSecNoDefaultAuthority: "No authority is the default one.",
    errSecRejectedForm: "The form was rejected.",
    errSecRequestLost: "The request got lost.",
    errSecRequestRejected: "The request was refused.",
    errSecUnsupportedAddressType: "Addresses of this type are not supported.",
    errSecUnsupportedService: "There is no such service.",
    errSecInvalidTupleGroup: "The group of tuples is invalid.",
    errSecInvalidBaseACLs: "The access lists to begin with are invalid.",
    errSecInvalidTupleCredentials: "The tuples' credentials are invalid.",
    errSecInvalidEncoding: "The encoding is invalid.",
    errSecInvalidValidityPeriod: "The time of validity is invalid.",
    errSecInvalidRequestor: "Who asks is invalid.",
    errSecRequestDescriptor: "The request's description is invalid.",
    errSecInvalidBundleInfo: "The bundle's information is invalid.",
    errSecInvalidCRLIndex: "The index into the revocation list is invalid.",
    errSecNoFieldValues: "The fields have no values.",
    errSecUnsupportedFieldFormat: "Fields of this format are not supported.",
    errSecUnsupportedIndexInfo: "Such an index is not supported.",
    errSecUnsupportedLocality: "Such a locality is not supported.",
    errSecUnsupportedNumAttributes: "So many attributes are not supported.",
    errSecUnsupportedNumIndexes: "So many indexes are not supported.",
    errSecUnsupportedNumRecordTypes: "So many types of records are not supported.",
    errSecFieldSpecifiedMultiple: "A field was given more than once.",
    errSecIncompatibleFieldFormat: "The field is of another format.",
    errSecInvalidParsingModule: "The module that parses is invalid.",
    errSecDatabaseLocked: "The database is locked by another.",
    errSecDatastoreIsOpen: "The store is open.",
    errSecMissingValue: "A value is missing.",
    errSecUnsupportedQueryLimits: "Such limits of a query are not supported.",
    errSecUnsupportedNumSelectionPreds: "So many conditions of a query are not supported.",
    errSecUnsupportedOperator: "There is no such operator.",
    errSecInvalidDBLocation: "The database cannot be where it is said to be.",
    errSecInvalidAccessRequest: "The request for access is invalid.",
    errSecInvalidIndexInfo: "The description of the index is invalid.",
    errSecInvalidNewOwner: "The new owner is invalid.",
    errSecInvalidModifyMode: "The way to change records is invalid.",
    errSecMissingRequiredExtension: "The certificate lacks an extension that it must have.",
    errSecExtendedKeyUsageNotCritical: "The extended key usage is not critical.",
    errSecTimestampMissing: "There is no timestamp where one is due.",
    errSecTimestampInvalid: "The timestamp is invalid.",
    errSecTimestampNotTrusted: "Nothing vouches for the timestamp.",
    errSecTimestampServiceNotAvailable: "The timestamp service does not answer.",
    errSecTimestampBadAlg: "The timestamp service does not know the algorithm.",
    errSecTimestampBadRequest: "The timestamp service does not do what was asked.",
    errSecTimestampBadDataFormat: "The timestamp service could not read the request.",
    errSecTimestampTimeNotAvailable: "The timestamp service does not know the time.",
    errSecTimestampUnacceptedPolicy: "The timestamp service does not follow the policy.",
    errSecTimestampUnacceptedExtension: "The timestamp service does not know the extension.",
    errSecTimestampAddInfoNotAvailable: "The timestamp service cannot say more.",
    errSecTimestampSystemFailure: "The timestamp service failed.",
    errSecSigningTimeMissing: "The time of signing is not there.",
    errSecTimestampRejection: "The timestamp service refused.",
    errSecTimestampWaiting: "The timestamp service has yet to answer.",
    errSecTimestampRevocationWarning: "The timestamp service's certificate is about to be revoked.",
    errSecTimestampRevocationNotification: "The timestamp service's certificate has been revoked.",
    errSecCertificatePolicyNotAllowed: "The certificate's issuer does not allow the policy.",
    errSecCertificateNameNotAllowed: "The certificate's issuer does not allow the name.",
    errSecCertificateValidityPeriodTooLong: "The certificate is valid for longer than allowed.",
    errSecCertificateIsCA:
      "The certificate is an authority's, where one of a person or host is due.",
    errSecCertificateDuplicateExtension: "The certificate has an extension twice.",
    errSecMissingQualifiedCertStatement: "The certificate lacks the statement that qualifies it.",
  ]
}
