// Status codes of certificates, revocation and trust.

/// The service that is needed is not there.
public let errSecServiceNotAvailable: OSStatus = -67585
/// The client did not identify itself well enough.
public let errSecInsufficientClientID: OSStatus = -67586
/// The device was reset.
public let errSecDeviceReset: OSStatus = -67587
/// The device failed.
public let errSecDeviceFailed: OSStatus = -67588
/// The application could not be added to the access list.
public let errSecAppleAddAppACLSubject: OSStatus = -67589
/// The public key lacks parts.
public let errSecApplePublicKeyIncomplete: OSStatus = -67590
/// The signature belongs to something else.
public let errSecAppleSignatureMismatch: OSStatus = -67591
/// The key's start date is invalid.
public let errSecAppleInvalidKeyStartDate: OSStatus = -67592
/// The key's end date is invalid.
public let errSecAppleInvalidKeyEndDate: OSStatus = -67593
/// The value could not be converted.
public let errSecConversionError: OSStatus = -67594
/// The peer was talked down to SSL 2.
public let errSecAppleSSLv2Rollback: OSStatus = -67595
/// More was asked for than the quota allows.
public let errSecQuotaExceeded: OSStatus = -67596
/// The file is too large.
public let errSecFileTooBig: OSStatus = -67597
/// A record of the database is invalid.
public let errSecInvalidDatabaseBlob: OSStatus = -67598
/// A key's record in the database is invalid.
public let errSecInvalidKeyBlob: OSStatus = -67599
/// A record of the database is of another version.
public let errSecIncompatibleDatabaseBlob: OSStatus = -67600
/// A key's record in the database is of another version.
public let errSecIncompatibleKeyBlob: OSStatus = -67601
/// The certificate is for another host.
public let errSecHostNameMismatch: OSStatus = -67602
/// The certificate has a critical extension that is unknown.
public let errSecUnknownCriticalExtensionFlag: OSStatus = -67603
/// The certificate has no basic constraints.
public let errSecNoBasicConstraints: OSStatus = -67604
/// The basic constraints do not make the certificate an authority.
public let errSecNoBasicConstraintsCA: OSStatus = -67605
/// The identifier of the authority's key is invalid.
public let errSecInvalidAuthorityKeyID: OSStatus = -67606
/// The identifier of the subject's key is invalid.
public let errSecInvalidSubjectKeyID: OSStatus = -67607
/// The policy does not allow this use of the key.
public let errSecInvalidKeyUsageForPolicy: OSStatus = -67608
/// The extended key usage is invalid.
public let errSecInvalidExtendedKeyUsage: OSStatus = -67609
/// The identifiers that link two certificates are invalid.
public let errSecInvalidIDLinkage: OSStatus = -67610
/// The chain is longer than a certificate in it allows.
public let errSecPathLengthConstraintExceeded: OSStatus = -67611
/// The root certificate is invalid.
public let errSecInvalidRoot: OSStatus = -67612
/// The revocation list is out of date.
public let errSecCRLExpired: OSStatus = -67613
/// The revocation list is from the future.
public let errSecCRLNotValidYet: OSStatus = -67614
/// The revocation list was not found.
public let errSecCRLNotFound: OSStatus = -67615
/// The server of the revocation list does not answer.
public let errSecCRLServerDown: OSStatus = -67616
/// The revocation list's address is invalid.
public let errSecCRLBadURI: OSStatus = -67617
/// The certificate has an extension that is unknown.
public let errSecUnknownCertExtension: OSStatus = -67618
/// The revocation list has an extension that is unknown.
public let errSecUnknownCRLExtension: OSStatus = -67619
/// The revocation list is not trusted.
public let errSecCRLNotTrusted: OSStatus = -67620
/// The revocation list does not satisfy the policy.
public let errSecCRLPolicyFailed: OSStatus = -67621
/// The issuing distribution point does not fit.
public let errSecIDPFailure: OSStatus = -67622
/// The certificate does not name the sender's address.
public let errSecSMIMEEmailAddressesNotFound: OSStatus = -67623
/// The extended key usage does not allow mail.
public let errSecSMIMEBadExtendedKeyUsage: OSStatus = -67624
/// The key usage does not allow mail.
public let errSecSMIMEBadKeyUsage: OSStatus = -67625
/// The key usage is not critical, as mail wants it.
public let errSecSMIMEKeyUsageNotCritical: OSStatus = -67626
/// The certificate names no mail address.
public let errSecSMIMENoEmailAddress: OSStatus = -67627
/// The subject's alternative name is not critical, as mail wants it.
public let errSecSMIMESubjAltNameNotCritical: OSStatus = -67628
/// The extended key usage does not allow TLS.
public let errSecSSLBadExtendedKeyUsage: OSStatus = -67629
/// The OCSP response is wrong or unreadable.
public let errSecOCSPBadResponse: OSStatus = -67630
/// The OCSP request is wrong or unreadable.
public let errSecOCSPBadRequest: OSStatus = -67631
/// No OCSP responder answers.
public let errSecOCSPUnavailable: OSStatus = -67632
/// The OCSP responder does not know the certificate.
public let errSecOCSPStatusUnrecognized: OSStatus = -67633
/// There is no more data.
public let errSecEndOfData: OSStatus = -67634
/// Revocation could not be checked for the whole chain.
public let errSecIncompleteCertRevocationCheck: OSStatus = -67635
/// The network failed.
public let errSecNetworkFailure: OSStatus = -67636
/// The OCSP response leads to no trusted root.
public let errSecOCSPNotTrustedToAnchor: OSStatus = -67637
/// The record was changed meanwhile.
public let errSecRecordModified: OSStatus = -67638
/// The OCSP response's signature does not verify.
public let errSecOCSPSignatureError: OSStatus = -67639
/// The OCSP response does not say who signed it.
public let errSecOCSPNoSigner: OSStatus = -67640
/// The OCSP responder could not read the request.
public let errSecOCSPResponderMalformedReq: OSStatus = -67641
/// The OCSP responder failed.
public let errSecOCSPResponderInternalError: OSStatus = -67642
/// The OCSP responder is busy.
public let errSecOCSPResponderTryLater: OSStatus = -67643
/// The OCSP responder wants requests signed.
public let errSecOCSPResponderSignatureRequired: OSStatus = -67644
/// The OCSP responder refused the request.
public let errSecOCSPResponderUnauthorized: OSStatus = -67645
/// The OCSP response answers another request.
public let errSecOCSPResponseNonceMismatch: OSStatus = -67646
/// The chain for code signing is of the wrong length.
public let errSecCodeSigningBadCertChainLength: OSStatus = -67647
/// A certificate for code signing has no basic constraints.
public let errSecCodeSigningNoBasicConstraints: OSStatus = -67648
/// The path length for code signing is wrong.
public let errSecCodeSigningBadPathLengthConstraint: OSStatus = -67649
/// The certificate does not name code signing among its uses.
public let errSecCodeSigningNoExtendedKeyUsage: OSStatus = -67650
/// The certificate signs code for development alone.
public let errSecCodeSigningDevelopment: OSStatus = -67651
/// The chain for signing resources is of the wrong length.
public let errSecResourceSignBadCertChainLength: OSStatus = -67652
/// The extended key usage does not allow signing resources.
public let errSecResourceSignBadExtKeyUsage: OSStatus = -67653
/// A trust setting rejects the certificate.
public let errSecTrustSettingDeny: OSStatus = -67654
/// The certificate's subject is invalid.
public let errSecInvalidSubjectName: OSStatus = -67655
/// The certificate is qualified by a statement that is unknown.
public let errSecUnknownQualifiedCertStatement: OSStatus = -67656
/// The MobileMe request waits in a queue.
public let errSecMobileMeRequestQueued: OSStatus = -67657
/// The MobileMe request was sent on elsewhere.
public let errSecMobileMeRequestRedirected: OSStatus = -67658
/// The MobileMe server failed.
public let errSecMobileMeServerError: OSStatus = -67659
/// The MobileMe server does not answer.
public let errSecMobileMeServerNotAvailable: OSStatus = -67660
/// MobileMe has this item already.
public let errSecMobileMeServerAlreadyExists: OSStatus = -67661
/// A MobileMe service failed.
public let errSecMobileMeServerServiceErr: OSStatus = -67662
/// A MobileMe request is under way.
public let errSecMobileMeRequestAlreadyPending: OSStatus = -67663
/// No MobileMe request is under way.
public let errSecMobileMeNoRequestPending: OSStatus = -67664
/// MobileMe did not accept the certificate request.
public let errSecMobileMeCSRVerifyFailure: OSStatus = -67665
/// MobileMe found a contradiction.
public let errSecMobileMeFailedConsistencyCheck: OSStatus = -67666

extension StatusMessages {
  static let trust: [OSStatus: String] = [
    errSecServiceNotAvailable: "The service that is needed is not there.",
    errSecInsufficientClientID: "The client did not identify itself well enough.",
    errSecDeviceReset: "The device was reset.",
    errSecDeviceFailed: "The device failed.",
    errSecAppleAddAppACLSubject: "The application could not be added to the access list.",
    errSecApplePublicKeyIncomplete: "The public key lacks parts.",
    errSecAppleSignatureMismatch: "The signature belongs to something else.",
    errSecAppleInvalidKeyStartDate: "The key's start date is invalid.",
    errSecAppleInvalidKeyEndDate: "The key's end date is invalid.",
    errSecConversionError: "The value could not be converted.",
    errSecAppleSSLv2Rollback: "The peer was talked down to SSL 2.",
    errSecQuotaExceeded: "More was asked for than the quota allows.",
    errSecFileTooBig: "The file is too large.",
    errSecInvalidDatabaseBlob: "A record of the database is invalid.",
    errSecInvalidKeyBlob: "A key's record in the database is invalid.",
    errSecIncompatibleDatabaseBlob: "A record of the database is of another version.",
    errSecIncompatibleKeyBlob: "A key's record in the database is of another version.",
    errSecHostNameMismatch: "The certificate is for another host.",
    errSecUnknownCriticalExtensionFlag: "The certificate has a critical extension that is unknown.",
    errSecNoBasicConstraints: "The certificate has no basic constraints.",
    errSecNoBasicConstraintsCA: "The basic constraints do not make the certificate an authority.",
    errSecInvalidAuthorityKeyID: "The identifier of the authority's key is invalid.",
    errSecInvalidSubjectKeyID: "The identifier of the subject's key is invalid.",
    errSecInvalidKeyUsageForPolicy: "The policy does not allow this use of the key.",
    errSecInvalidExtendedKeyUsage: "The extended key usage is invalid.",
    errSecInvalidIDLinkage: "The identifiers that link two certificates are invalid.",
    errSecPathLengthConstraintExceeded: "The chain is longer than a certificate in it allows.",
    errSecInvalidRoot: "The root certificate is invalid.",
    errSecCRLExpired: "The revocation list is out of date.",
    errSecCRLNotValidYet: "The revocation list is from the future.",
    errSecCRLNotFound: "The revocation list was not found.",
    errSecCRLServerDown: "The server of the revocation list does not answer.",
    errSecCRLBadURI: "The revocation list's address is invalid.",
    errSecUnknownCertExtension: "The certificate has an extension that is unknown.",
    errSecUnknownCRLExtension: "The revocation list has an extension that is unknown.",
    errSecCRLNotTrusted: "The revocation list is not trusted.",
    errSecCRLPolicyFailed: "The revocation list does not satisfy the policy.",
    errSecIDPFailure: "The issuing distribution point does not fit.",
    errSecSMIMEEmailAddressesNotFound: "The certificate does not name the sender's address.",
    errSecSMIMEBadExtendedKeyUsage: "The extended key usage does not allow mail.",
    errSecSMIMEBadKeyUsage: "The key usage does not allow mail.",
    errSecSMIMEKeyUsageNotCritical: "The key usage is not critical, as mail wants it.",
    errSecSMIMENoEmailAddress: "The certificate names no mail address.",
    errSecSMIMESubjAltNameNotCritical:
      "The subject's alternative name is not critical, as mail wants it.",
    errSecSSLBadExtendedKeyUsage: "The extended key usage does not allow TLS.",
    errSecOCSPBadResponse: "The OCSP response is wrong or unreadable.",
    errSecOCSPBadRequest: "The OCSP request is wrong or unreadable.",
    errSecOCSPUnavailable: "No OCSP responder answers.",
    errSecOCSPStatusUnrecognized: "The OCSP responder does not know the certificate.",
    errSecEndOfData: "There is no more data.",
    errSecIncompleteCertRevocationCheck: "Revocation could not be checked for the whole chain.",
    errSecNetworkFailure: "The network failed.",
    errSecOCSPNotTrustedToAnchor: "The OCSP response leads to no trusted root.",
    errSecRecordModified: "The record was changed meanwhile.",
    errSecOCSPSignatureError: "The OCSP response's signature does not verify.",
    errSecOCSPNoSigner: "The OCSP response does not say who signed it.",
    errSecOCSPResponderMalformedReq: "The OCSP responder could not read the request.",
    errSecOCSPResponderInternalError: "The OCSP responder failed.",
    errSecOCSPResponderTryLater: "The OCSP responder is busy.",
    errSecOCSPResponderSignatureRequired: "The OCSP responder wants requests signed.",
    errSecOCSPResponderUnauthorized: "The OCSP responder refused the request.",
    errSecOCSPResponseNonceMismatch: "The OCSP response answers another request.",
    errSecCodeSigningBadCertChainLength: "The chain for code signing is of the wrong length.",
    errSecCodeSigningNoBasicConstraints: "A certificate for code signing has no basic constraints.",
    errSecCodeSigningBadPathLengthConstraint: "The path length for code signing is wrong.",
    errSecCodeSigningNoExtendedKeyUsage:
      "The certificate does not name code signing among its uses.",
    errSecCodeSigningDevelopment: "The certificate signs code for development alone.",
    errSecResourceSignBadCertChainLength: "The chain for signing resources is of the wrong length.",
    errSecResourceSignBadExtKeyUsage: "The extended key usage does not allow signing resources.",
    errSecTrustSettingDeny: "A trust setting rejects the certificate.",
    errSecInvalidSubjectName: "The certificate's subject is invalid.",
    errSecUnknownQualifiedCertStatement:
      "The certificate is qualified by a statement that is unknown.",
    errSecMobileMeRequestQueued: "The MobileMe request waits in a queue.",
    errSecMobileMeRequestRedirected: "The MobileMe request was sent on elsewhere.",
    errSecMobileMeServerError: "The MobileMe server failed.",
    errSecMobileMeServerNotAvailable: "The MobileMe server does not answer.",
    errSecMobileMeServerAlreadyExists: "MobileMe has this item already.",
    errSecMobileMeServerServiceErr: "A MobileMe service failed.",
    errSecMobileMeRequestAlreadyPending: "A MobileMe request is under way.",
    errSecMobileMeNoRequestPending: "No MobileMe request is under way.",
    errSecMobileMeCSRVerifyFailure: "MobileMe did not accept the certificate request.",
    errSecMobileMeFailedConsistencyCheck: "MobileMe found a contradiction.",
  ]
}
