import assert from 'node:assert/strict'
import { test } from 'node:test'
import Stripe from 'stripe'
import {
  API_VERSION,
  type CheckoutSession,
  type Customer,
  type EventType,
  type Invoice,
  type InvoiceLine,
  type PaymentEvent,
  type PaymentMethod,
  type PortalConfiguration,
  type PortalSession,
  type Price,
  type Product,
  type Subscription,
  type SubscriptionItem,
} from './objects.ts'

/** Part of an object of the SDK, at any depth. */
type Part<T> = T extends (infer U)[] ? Part<U>[] : T extends object ? { [K in keyof T]?: Part<T[K]> } : T

/** Compiles only if each field of ours is a field of theirs with a type that it can have. */
type Fits<Theirs, Ours extends Part<Theirs> & Record<Exclude<keyof Ours, keyof Theirs>, never>> = Ours

export type Checked = [
  Fits<Stripe.Customer, Customer>,
  Fits<Stripe.Product, Product>,
  Fits<Stripe.Price, Price>,
  Fits<Stripe.PaymentMethod, PaymentMethod>,
  Fits<Stripe.Checkout.Session, CheckoutSession>,
  Fits<Stripe.Subscription, Subscription>,
  Fits<Stripe.SubscriptionItem, SubscriptionItem>,
  Fits<Stripe.Invoice, Invoice>,
  Fits<Stripe.InvoiceLineItem, InvoiceLine>,
  Fits<Stripe.BillingPortal.Configuration, PortalConfiguration>,
  Fits<Stripe.BillingPortal.Session, PortalSession>,
  Fits<Stripe.EventBase, PaymentEvent>,
]

export const EVENT_TYPE: (type: EventType) => Stripe.Event.Type = (type) => type

// The types above are those of one version; another version needs another look.
test('the simulator implements the API version that the SDK requests', () => {
  assert.equal(new Stripe('sk_test_x').getApiField('version'), API_VERSION)
})
